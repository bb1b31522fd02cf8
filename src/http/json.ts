// One question to a server that answers with JSON, with limits on time and size. No redirect is followed: a token is for one address.
import { type Dispatcher, getGlobalDispatcher } from 'undici';
import { systemCode } from '../errors/errors.ts';

export interface Question {
  readonly url: URL;
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Limits silence: before the answer, and between two parts of it. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  readonly dispatcher?: Dispatcher;
}

/** No JSON was had. The message is one clause without addresses, tokens or words of the server: `answered with http 503`. */
export class AnswerError extends Error {
  readonly kind: 'unreachable' | 'status' | 'notJson' | 'tooLong';
  /** Of an answer other than 200. */
  readonly status: number | undefined;
  constructor(kind: AnswerError['kind'], message: string, options?: { cause?: unknown; status?: number }) {
    super(message, options);
    this.kind = kind;
    this.status = options?.status;
  }
}

/**
 * The JSON of the answer.
 * @throws AnswerError, or the reason of the signal
 */
export async function askJson(question: Question): Promise<unknown> {
  const { url, method = 'GET', headers, body, timeoutMs, maxBytes, signal, dispatcher = getGlobalDispatcher() } = question;
  try {
    const answer = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
    if (answer.statusCode !== 200) {
      // Its text is the server's own, and not repeated anywhere.
      await answer.body.dump({ limit: 65_536 }).catch(() => undefined);
      throw new AnswerError('status', `answered with http ${answer.statusCode}`, { status: answer.statusCode });
    }
    return JSON.parse(await textOf(answer.body, maxBytes)) as unknown;
  } catch (cause) {
    if (cause instanceof AnswerError) throw cause;
    if (signal?.aborted) throw signal.reason;
    if (cause instanceof SyntaxError) throw new AnswerError('notJson', 'the answer is no JSON', { cause });
    throw new AnswerError('unreachable', `no answer (${systemCode(cause)})`, { cause });
  }
}

async function textOf(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > maxBytes) throw new AnswerError('tooLong', `the answer is longer than ${maxBytes / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
