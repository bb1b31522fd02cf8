// SQL Server urls: host, instance, port and database in the url, then `;key=value`, where most keys win over the url.
import { keyValues } from './dialects.ts';
import type { JdbcDialect, JdbcLocation } from './location.ts';

const pattern = /^(?:\w+:)*\w+:\/\/([\w.-]+)?(?:\\(\w+))?(?::(\d+))?(?:\/(\w+))?(?:;([^\n\r\u0085\u2028\u2029]*))?$/;

export const sqlserver: JdbcDialect = {
  claims: (url) => /^(?:jtds:)?sqlserver/i.test(url),
  read(url): JdbcLocation | undefined {
    const match = pattern.exec(url);
    if (match === null) return undefined;
    const keys = keyValues(match[5] ?? '', ';');
    const host = keys.get('servername') ?? match[1];
    if (host === undefined) return undefined;
    const port = keys.get('portnumber') ?? match[3];
    const instance = keys.get('instance') ?? match[2] ?? keys.get('instancename');
    return {
      scheme: 'sqlserver',
      authority: (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host) + (port === undefined ? '' : `:${port}`),
      ...(instance === undefined ? {} : { instance }),
      database: keys.get('databasename') ?? keys.get('database') ?? match[4] ?? '',
    };
  },
};
