// Backends that answer 200 whatever happened and say in the body what did. Pure.
import { hintOf } from './body.ts';
import type { Heard } from './http.ts';

/**
 * The answer as its body means it.
 *
 * Egeria: `relatedHTTPCode` of its response bean is the status, `exceptionErrorMessage` the reason.
 * OpenMetadata: a failure is one of `failed_events`, final unless it is called retriable. No edge made is no failure: most events
 * make none there.
 */
export function spoken(backend: 'egeria' | 'openmetadata', heard: Heard, secrets: readonly string[]): Heard {
  const body = heard.status === 200 ? parsed(heard.text) : undefined;
  if (body === undefined) return heard;
  if (backend === 'egeria') {
    const { relatedHTTPCode: status, exceptionErrorMessage: message } = body;
    if (typeof status !== 'number' || status < 300 || status > 599) return heard;
    return { ...heard, status, contentType: undefined, hint: oneLine(message, secrets) };
  }
  const failed = body['failed_events'] ?? body['failedEvents'];
  const [first] = Array.isArray(failed) ? (failed as unknown[]) : [];
  if (typeof first !== 'object' || first === null) return heard;
  const { reason, retriable } = first as { reason?: unknown; retriable?: unknown };
  return { ...heard, status: retriable === true ? 503 : 422, contentType: undefined, hint: oneLine(reason, secrets) };
}

const oneLine = (text: unknown, secrets: readonly string[]): string => (typeof text === 'string' ? hintOf(text, secrets) : '');

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
