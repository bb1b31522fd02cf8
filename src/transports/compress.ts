// Gzipped bodies, and the way back where a server turns out not to read them.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HttpDestination } from './transport.ts';

const zipped = promisify(gzip);

export interface Compressor {
  /** Calls `post` with the body as it shall be sent and the headers that go with it. */
  send<T extends { readonly status: number }>(
    body: string,
    post: (body: string | Buffer, headers: Record<string, string>) => Promise<T>,
  ): Promise<T>;
}

/**
 * Compresses bodies from `compressFrom` on. A server that refuses a compressed body (400, 415) and takes the same one plain does
 * not read gzip: from then on all is sent plain.
 */
export function compressor({ compression, compressFrom }: Pick<HttpDestination, 'compression' | 'compressFrom'>): Compressor {
  let use = compression === 'gzip';
  return {
    async send(body, post) {
      if (!use || body.length < compressFrom) return post(body, {});
      const answer = await post(await zipped(body), { 'content-encoding': 'gzip' });
      if (answer.status !== 400 && answer.status !== 415) return answer;
      const plain = await post(body, {});
      if (plain.status >= 200 && plain.status < 300) use = false;
      return plain;
    },
  };
}
