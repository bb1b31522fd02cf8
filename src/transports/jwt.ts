// Exchanges an API key for a token, as openlineage-java's JwtTokenProvider does: a form with apikey, grant_type and
// response_type; the token and its life are looked up under several names, whatever their case and underscores.
import { classifyError } from './classify.ts';
import { TokenTrouble } from './secret.ts';
import type { HttpDestination } from './transport.ts';

type JwtSettings = NonNullable<HttpDestination['jwt']>;

/** An answer of the token endpoint; the body may be cut. */
export type PostForm = (url: URL, form: string, signal: AbortSignal) => Promise<{ readonly status: number; readonly body: string }>;

export interface IssuedToken {
  readonly token: string;
  /** ms since the epoch; undefined when neither the answer nor the token tells. */
  readonly expiresAt: number | undefined;
}

/** @throws TokenTrouble later (no answer, 408, 425, 429, 5xx) or paused (refused, or an answer without a token) */
export async function exchangeKey(
  jwt: JwtSettings,
  apiKey: string,
  postForm: PostForm,
  now: () => number,
  signal: AbortSignal,
): Promise<IssuedToken> {
  const form = new URLSearchParams({ apikey: apiKey, grant_type: jwt.grantType, response_type: jwt.responseType }).toString();
  const { status, body } = await postForm(new URL(jwt.tokenEndpoint), form, signal).catch((error: unknown) => {
    throw new TokenTrouble(about(classifyError(error)));
  });
  const says = `the token endpoint answers http ${status}`;
  if (status >= 500 || [408, 425, 429].includes(status)) throw new TokenTrouble({ kind: 'later', reason: says, serverError: false });
  // What it says is not shown: it may repeat the key.
  if (status < 200 || status >= 300) throw new TokenTrouble({ kind: 'paused', reason: says });
  const answer = parsed(body);
  const token = field(answer, jwt.tokenFields);
  if (token === undefined || token === '') {
    throw new TokenTrouble({ kind: 'paused', reason: `the answer of the token endpoint has no ${jwt.tokenFields.join(' or ')}` });
  }
  const seconds = Number(field(answer, [jwt.expiresInField]) ?? Number.NaN);
  return { token, expiresAt: seconds > 0 ? now() + seconds * 1000 : expiryIn(token) };
}

function about(result: ReturnType<typeof classifyError>): Exclude<ReturnType<typeof classifyError>, { kind: 'sent' }> {
  if (result.kind === 'sent') throw new TypeError('an error is never sent');
  return { ...result, reason: `token endpoint: ${result.reason}` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const folded = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** The first text or number under one of the names. */
function field(answer: unknown, names: readonly string[]): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  for (const name of names) {
    for (const [key, value] of Object.entries(answer)) {
      if (folded(key) === folded(name) && (typeof value === 'string' || typeof value === 'number')) return String(value);
    }
  }
  return undefined;
}

/** `exp` of the token itself, in ms. */
function expiryIn(token: string): number | undefined {
  const payload = parsed(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const seconds = Number(field(payload, ['exp']) ?? Number.NaN);
  return seconds > 0 ? seconds * 1000 : undefined;
}
