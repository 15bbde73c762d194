import type { Client } from '@linnet/contract/client';
import { createClient } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';

/** Renews the tokens of one client, as the app does in `apps/app/src/features/account/account.ts`. */
export class Tokens {
  readonly #client: Client;
  #access: string | null = null;
  #refresh: string;
  /** When the access token expires, in milliseconds of `performance.now`. */
  #expiresAt = Number.NEGATIVE_INFINITY;
  #renewal: Promise<string | null> | null = null;

  /**
   * @param measured wraps the client that renews the tokens
   */
  constructor(
    url: string,
    refreshToken: string,
    headers: Readonly<Record<string, string>>,
    measured: (client: Client) => Client,
  ) {
    this.#refresh = refreshToken;
    this.#client = measured(
      createClient({
        baseUrl: url,
        tokens: { access: () => null, refresh: () => this.#refresh },
        headers: () => headers,
        timeoutMs: limits.requestTimeoutMs,
      }),
    );
  }

  /** Returns a valid access token. If it can't be renewed now, returns the expired one. */
  readonly access = async (): Promise<string | null> =>
    performance.now() < this.#expiresAt ? this.#access : this.renew();

  readonly refresh = (): string => this.#refresh;

  /** Renews the tokens. Calls that need a new token at the same time share one request. */
  readonly renew = (): Promise<string | null> => {
    this.#renewal ??= this.#exchange().finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  };

  /** Makes the access token expire earlier, as if it had been issued some time ago. */
  age(milliseconds: number): void {
    this.#expiresAt -= milliseconds;
  }

  async #exchange(): Promise<string | null> {
    const result = await this.#client.call('user/refreshToken');
    if (!result.ok) return this.#access;
    this.#access = result.data.access_token;
    this.#refresh = result.data.refresh_token;
    this.#expiresAt = performance.now() + (result.data.expires_in - 1) * 1000;
    return this.#access;
  }
}
