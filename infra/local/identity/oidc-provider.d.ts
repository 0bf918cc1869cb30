/** Types of the part of oidc-provider that is used; the package has none. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Client {
    clientId: string;
    clientSecret?: string;
    redirectUriAllowed(uri: string): boolean;
    postLogoutRedirectUriAllowed(uri: string): boolean;
  }

  export interface Context {
    req: IncomingMessage;
    status: number;
    type: string;
    body: unknown;
    get(header: string): string;
    set(header: string, value: string): void;
    oidc: {
      provider: Provider;
      client: Client;
      params: Record<string, string | undefined>;
      session: { accountId?: string; amr?: string[] };
      entities: { AuthorizationCode?: { amr?: string[] }; RefreshToken?: { amr?: string[] } };
      account?: { accountId: string };
    };
  }

  export interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export interface AccessToken {
    resourceServer: unknown;
    scope: string;
    aud: string | string[];
    kind: string;
    gty?: string;
    amr?: string[];
    clientId: string;
    save(): Promise<string>;
  }

  export interface IdToken {
    scope: string;
    mask: Record<string, unknown>;
    rejected: string[];
    issue(options: { use: 'idtoken' }): Promise<string>;
  }

  export interface StructuredToken {
    header?: Record<string, unknown>;
    payload: Record<string, unknown>;
  }

  export interface InteractionDetails {
    uid: string;
    params: Record<string, string | undefined>;
    prompt: { name: string };
  }

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    readonly issuer: string;
    readonly Client: { prototype: Client };
    readonly Grant: new (input: { clientId: string; accountId: string }) => Grant;
    readonly AccessToken: new (input: Record<string, unknown>) => AccessToken;
    readonly RefreshToken: new (input: Record<string, unknown>) => { save(): Promise<string> };
    readonly IdToken: new (claims: Record<string, unknown>, options: { ctx: Context }) => IdToken;
    readonly ResourceServer: new (identifier: string, info: Record<string, unknown>) => unknown;
    callback(): (req: IncomingMessage, res: ServerResponse) => Promise<void>;
    registerGrantType(name: string, handler: (ctx: Context) => Promise<void>, params: string[]): void;
    interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<InteractionDetails>;
    interactionFinished(
      req: IncomingMessage,
      res: ServerResponse,
      result: { login: { accountId: string; amr?: string[] } } | { consent: Record<string, never> },
    ): Promise<void>;
    on(event: 'server_error', listener: (ctx: Context, error: Error) => void): this;
  }

  export const interactionPolicy: {
    base(): { get(prompt: 'login'): { checks: { add(check: object): void } } };
    Check: new (reason: string, description: string, check: (ctx: Context) => boolean) => object;
  };

  export const errors: {
    OIDCProviderError: abstract new () => Error;
    CustomOIDCProviderError: new (
      error: string,
      description: string,
    ) => Error & { status: number; statusCode: number };
  };
}
