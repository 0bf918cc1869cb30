import type { IdentityProvider, TokenClaims } from '../../../shared/platform/identity/index.ts';
import type { PaymentGateway } from '../../../shared/platform/payment/index.ts';
import type { Item } from '../memory/values.ts';
import type { Often } from './simulation.ts';
import type { Tamper } from './table.ts';

/** A mistake that histories have to find. */
export interface ServiceBug {
  name: string;
  /** Changes what functions send to the table. */
  tamper?: Tamper;
  /** The same of the functions of the version before alone. */
  tamperBefore?: Tamper;
  /** Changes items as an instance of the present version reads them. */
  reading?: (item: Item, by: string) => Item;
  /** Changes what a function's client of the payment gateway does. */
  gateway?: (client: PaymentGateway, by: string) => PaymentGateway;
  /** The same of an instance's client of the identity provider. */
  identity?: (client: IdentityProvider, by: string) => IdentityProvider;
  /** Changes what the authorizer takes for the claims of a token. */
  claims?: (claims: TokenClaims) => TokenClaims;
  /** It is of invited people: histories without a crew cannot find it. */
  isOfCrew?: boolean;
  /** What people do more often in the histories that look for it. */
  often?: Often;
}
