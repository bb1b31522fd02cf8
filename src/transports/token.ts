// The Authorization header of a destination: a token, the content of a token file, a token that an API key is exchanged for,
// or user and password of the url. What can change is read again when the destination refuses it.
import { exchangeKey, type PostForm } from './jwt.ts';
import { readSecret } from './secret.ts';
import type { HttpDestination } from './transport.ts';

export interface TokenSource {
  /** @throws TokenTrouble */
  header(signal: AbortSignal): Promise<string | undefined>;
  /** Gets the token anew after a refusal; true when it is another one now. */
  refresh(signal: AbortSignal): Promise<boolean>;
  /** Texts that must not appear in a reason. */
  secrets(): string[];
}

export function tokenSource(destination: HttpDestination, postForm: PostForm, now: () => number): TokenSource {
  const { token, tokenFile, jwt, url, headers, urlParams } = destination;
  const { username, password, searchParams } = new URL(url);
  const basic = username === '' ? undefined : Buffer.from(`${plain(username)}:${plain(password)}`).toString('base64');
  let current = token;
  let freshUntil = Number.POSITIVE_INFINITY;
  let key = jwt?.apiKey;
  let coming: Promise<void> | undefined;

  const obtain = async (signal: AbortSignal): Promise<void> => {
    if (jwt === undefined) {
      if (tokenFile !== undefined) current = await readSecret(tokenFile, 'token file');
      return;
    }
    if (jwt.apiKeyFile !== undefined) key = await readSecret(jwt.apiKeyFile, 'API key file');
    const issued = await exchangeKey(jwt, key ?? '', postForm, now, signal);
    current = issued.token;
    // Without a known end it serves until it is refused.
    freshUntil = issued.expiresAt === undefined ? Number.POSITIVE_INFINITY : issued.expiresAt - jwt.tokenRefreshBuffer;
  };
  /** Requests at once wait for one and the same token. */
  const obtained = (signal: AbortSignal): Promise<void> => {
    coming ??= obtain(signal).finally(() => {
      coming = undefined;
    });
    return coming;
  };

  return {
    async header(signal) {
      if (token === undefined && (current === undefined || now() >= freshUntil)) await obtained(signal);
      if (current !== undefined) return `Bearer ${current}`;
      return basic === undefined ? undefined : `Basic ${basic}`;
    },
    async refresh(signal) {
      if (tokenFile === undefined && jwt === undefined) return false;
      const before = current;
      await obtained(signal);
      return current !== before;
    },
    secrets: () =>
      [current, key, basic, plain(password), ...searchParams.values(), ...Object.values(headers), ...Object.values(urlParams)].filter(
        (text): text is string => text !== undefined && text.length >= 4,
      ),
  };
}

/** User info as it was meant; a stray % stands for itself. */
function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
