// The last question before a request: a connection takes time to set up, and the process may have been frozen meanwhile.
import type { Dispatcher } from 'undici';

/** The request was not begun. */
export class MayNotBegin extends Error {
  readonly code = 'NOT_BEGUN';
}

/**
 * Asks the function that a request carries as `opaque` when a connection is there and nothing has been written; on false the request
 * ends with `MayNotBegin`.
 */
export const askedAgain: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { opaque: mayBegin } = options as { readonly opaque?: () => boolean };
  return dispatch(options, {
    onRequestStart(controller, context) {
      handler.onRequestStart?.(controller, context);
      if (mayBegin?.() === false) controller.abort(new MayNotBegin('the request may not begin any more'));
    },
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  });
};
