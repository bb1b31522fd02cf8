// Catalog servers for tests: a real http server on loopback that answers as the REST APIs of Iceberg and Paimon are published.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CatalogServer {
  readonly uri: string;
  /** Method and target of every request, in the order of arrival; with the bearer token where there was one. */
  readonly asked: string[];
  /** From now on every request is answered so; `undefined` is as published again. */
  behave(other: ((request: IncomingMessage, response: ServerResponse) => void) | undefined): void;
  close(): Promise<void>;
}

/** Answers by target (path and query, percent-encoded as sent); anything else is 404. */
export type Answers = Readonly<Record<string, unknown>>;

/** `token`: other requests are answered 401; `credential`: what the token endpoint gives `token` for. */
export async function startCatalogServer(
  answers: Answers,
  { token, credential }: { readonly token?: string; readonly credential?: string } = {},
): Promise<CatalogServer> {
  const asked: string[] = [];
  let other: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const server = createServer((request, response) => {
    const given = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1];
    asked.push(`${request.method} ${request.url}${given === undefined ? '' : ` ${given}`}`);
    if (other !== undefined) return other(request, response);
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (request.method === 'POST' && request.url === '/v1/oauth/tokens') {
      let form = '';
      request.on('data', (chunk) => {
        form += chunk;
      });
      request.on('end', () => {
        const fields = new URLSearchParams(form);
        const isRight =
          fields.get('grant_type') === 'client_credentials' && `${fields.get('client_id')}:${fields.get('client_secret')}` === credential;
        if (isRight) send(200, { access_token: token, token_type: 'bearer', expires_in: 3600, issued_token_type: 'x' });
        else send(401, { error: 'invalid_client', error_description: credential });
      });
      return;
    }
    if (token !== undefined && given !== token) return send(401, { error: { message: `not ${token}`, type: 'NotAuthorized', code: 401 } });
    const answer = Object.hasOwn(answers, request.url ?? '') ? answers[request.url ?? ''] : undefined;
    if (answer === undefined) send(404, { error: { message: 'no such table', type: 'NoSuchTableException', code: 404 } });
    else send(200, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    uri: `http://127.0.0.1:${port}`,
    asked,
    behave: (next) => {
      other = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The answer of loadTable for a table of orders, with an older schema beside the current one. */
export const icebergOrders = {
  'metadata-location': 's3://lake/ice/ods.db/orders/metadata/00002-x.metadata.json',
  metadata: {
    'format-version': 2,
    'table-uuid': '9c12d441-03fe-4693-9a96-a0705ddf69c1',
    location: 's3://lake/ice/ods.db/orders',
    'current-schema-id': 1,
    schemas: [
      { type: 'struct', 'schema-id': 0, fields: [{ id: 1, name: 'id', required: true, type: 'int' }] },
      {
        type: 'struct',
        'schema-id': 1,
        'identifier-field-ids': [1],
        fields: [
          { id: 1, name: 'id', required: true, type: 'long', doc: "the order's number" },
          { id: 2, name: 'amount', required: false, type: 'decimal(10, 2)' },
          { id: 3, name: 'dt', required: false, type: 'string' },
          {
            id: 4,
            name: 'address',
            required: false,
            type: {
              type: 'struct',
              fields: [
                { id: 5, name: 'city', required: false, type: 'string' },
                {
                  id: 6,
                  name: 'geo`x',
                  required: false,
                  type: { type: 'list', 'element-id': 7, element: 'double', 'element-required': true },
                },
              ],
            },
          },
          {
            id: 8,
            name: 'attrs',
            required: false,
            type: { type: 'map', 'key-id': 9, key: 'string', 'value-id': 10, value: 'timestamptz' },
          },
        ],
      },
    ],
    'default-spec-id': 0,
    'partition-specs': [{ 'spec-id': 0, fields: [{ 'source-id': 3, 'field-id': 1000, name: 'dt', transform: 'identity' }] }],
    properties: { owner: 'x' },
  },
  config: { token: 'not for us' },
} as const;

/** The answer of Paimon's get table. */
export const paimonUsers = {
  id: '7',
  name: 'users',
  path: 'oss://lake/paimon/dim.db/users',
  isExternal: false,
  schemaId: 3,
  schema: {
    fields: [
      { id: 0, name: 'id', type: 'BIGINT NOT NULL', description: 'key' },
      { id: 1, name: 'name', type: 'VARCHAR(20)' },
      { id: 2, name: 'seen', type: 'TIMESTAMP(3) WITH LOCAL TIME ZONE' },
      { id: 3, name: 'tags', type: { type: 'ARRAY NOT NULL', element: 'STRING' } },
      { id: 4, name: 'home', type: { type: 'ROW', fields: [{ id: 5, name: 'city', type: 'STRING' }] } },
      { id: 6, name: 'counts', type: { type: 'MAP', key: 'STRING NOT NULL', value: 'INT' } },
    ],
    partitionKeys: [],
    primaryKeys: ['id'],
    options: { bucket: '4' },
    comment: '',
  },
} as const;
