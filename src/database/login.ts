// A login that is replaced while the program runs (a rotated password): new connections take the one of now.

/** `url` is the address of the first connection with the user and password of now. */
export interface Login {
  readonly user: string;
  readonly password: string;
  readonly url: string;
}

/**
 * @param url where the database is; stays
 * @param fresh the URL as it is now; only its user and password count. When it throws or gives no URL, the last login holds
 */
export function currentLogin(url: string, fresh: () => string): () => Login {
  let last = loginOf(url, url);
  return () => {
    try {
      last = loginOf(url, fresh());
    } catch {
      // being replaced, or broken: the server judges the login that was good before
    }
    return last;
  };
}

function loginOf(url: string, from: string): Login {
  const [address, login] = [new URL(url), new URL(from)];
  [address.username, address.password] = [login.username, login.password];
  return { user: decodeURIComponent(login.username), password: decodeURIComponent(login.password), url: address.href };
}
