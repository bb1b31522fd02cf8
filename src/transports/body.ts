// The body of an answer: read to its end so that the connection is used again, a short piece kept as a hint.
import type { Dispatcher } from 'undici';

/** Bytes of the body that are looked at. */
const keptBytes = 2_048;
/** Characters of the hint. */
const hintChars = 300;

/**
 * Reads the body of an answer and returns one line of it: the message of a JSON error, the text of a page.
 * @param secrets texts to replace, should the destination repeat what it was sent
 */
export async function readHint(body: Dispatcher.ResponseData['body'], status: number, secrets: readonly string[]): Promise<string> {
  // What was taken is taken: a body that breaks off after a 2xx changes nothing.
  if (status >= 200 && status < 300) {
    await body.dump({ limit: 65_536 }).catch(() => undefined);
    return '';
  }
  const text = await readText(body, keptBytes);
  // A secret that the limit cuts in two would not be found.
  const unsure = Buffer.byteLength(text) < keptBytes ? 0 : Math.max(0, ...secrets.map((secret) => secret.length));
  return hintOf(text.slice(0, Math.max(0, text.length - unsure)), secrets);
}

/** The first `limit` bytes of a body as text; what breaks off is cut there, for the status is known and counts more. */
export async function readText(body: Dispatcher.ResponseData['body'], limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      // Leaving the loop destroys the stream, and with it a connection that still had much to say.
      if (size >= limit) break;
    }
  } catch {
    // See above.
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8');
}

/** One line of at most 300 characters from the beginning of an error body: JSON (message, error, errors) or a page. */
export function hintOf(text: string, secrets: readonly string[]): string {
  let line = messageOf(text) ?? text.replace(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>?/g, ' ');
  for (const secret of secrets) line = line.replaceAll(secret, '***');
  return line
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, hintChars);
}

function messageOf(text: string): string | undefined {
  const field = /"(?:message|error|detail)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text) ?? /"errors"\s*:\s*\[\s*"((?:[^"\\]|\\.)*)"/.exec(text);
  if (field === null || !/^\s*\{/.test(text)) return undefined;
  try {
    return String(JSON.parse(`"${field[1]}"`));
  } catch {
    return undefined;
  }
}
