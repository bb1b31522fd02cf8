// What a status or a network error means: the event's fault, a passing trouble, or the fault of the destination. Pure.
import { systemCode } from '../errors/errors.ts';
import type { SendResult } from '../outbox/outbox.ts';

/** The parts of an http answer that count. Header values as received. */
export interface Answer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly retryAfter: string | undefined;
  readonly location: string | undefined;
  /** A short piece of the body, without secrets; may be empty. */
  readonly hint: string;
}

const later: ReadonlySet<number> = new Set([408, 425, 429]);

/** What to look at when the destination itself is at fault. */
const hints: Readonly<Record<number, string>> = {
  401: 'the token is missing or not accepted',
  403: 'the token may not write here',
  404: 'no such path: look at url and endpoint',
  405: 'not a path to post to: look at url and endpoint',
  406: 'the Accept header is refused: is the preset right?',
  407: 'a proxy asks for credentials',
};

/**
 * Judges an http answer.
 * @param now ms since the epoch, for a Retry-After that is a date
 */
export function classifyAnswer(answer: Answer, now: number): SendResult {
  const { status, hint } = answer;
  const says = `http ${status}${hint === '' ? '' : `: ${hint}`}`;
  // A lineage endpoint answers 200 with nothing or JSON; a page is a login form or a web interface.
  if (status === 200 && /^\s*(text\/html|application\/xhtml)/i.test(answer.contentType ?? '')) {
    return { kind: 'paused', reason: 'http 200 with an HTML page: this is not a lineage endpoint, look at url and endpoint' };
  }
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status >= 300 && status < 400) {
    return { kind: 'paused', reason: `http ${status}: redirects to ${shownLocation(answer.location)}; set url to the final address` };
  }
  if (later.has(status) || status >= 500) {
    const retryAfterMs = parseRetryAfter(answer.retryAfter, now);
    const busy = later.has(status) ? { busy: true } : {};
    return { kind: 'later', reason: says, serverError: status >= 500, ...busy, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  const atFault = hints[status];
  if (atFault !== undefined) return { kind: 'paused', reason: `${says} (${atFault})` };
  return { kind: 'never', reason: says };
}

/**
 * Retry-After as ms from now: a number of seconds or an http date (RFC 9110 10.2.3); a date that is past is 0.
 * @returns undefined when absent or neither
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Date.parse alone would take many texts that are no http date.
  if (!/^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** Scheme, host and path of a redirect; its query and user info may hold secrets. */
function shownLocation(location: string | undefined): string {
  if (location === undefined) return 'nowhere';
  const url = URL.canParse(location) ? new URL(location) : undefined;
  return url === undefined ? (location.split(/[?#]/, 1)[0] as string).slice(0, 200) : `${url.protocol}//${url.host}${url.pathname}`;
}

const dns: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NONAME', 'ENODATA']);
const tls =
  /^(EPROTO|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|CRL_)/;

/** Judges an error that is no answer, by its code alone: messages may hold addresses. */
export function classifyError(error: unknown): SendResult {
  const code = systemCode(error);
  if (dns.has(code)) return { kind: 'paused', reason: `the host name does not resolve (${code})` };
  if (tls.test(code))
    return { kind: 'paused', reason: `TLS failed (${code}); a private authority is given with ca, our certificate with cert and key` };
  if (code === 'UND_ERR_INVALID_ARG') return { kind: 'paused', reason: 'a header or the token has characters that http does not allow' };
  return { kind: 'later', reason: `no answer (${code})`, serverError: false };
}
