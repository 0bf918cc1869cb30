import type { PaymentGateway } from '../../../shared/platform/payment/index.ts';
import type { Item } from '../memory/values.ts';
import type { Tamper } from './table.ts';

/** A mistake that histories have to find. */
export interface ServiceBug {
  name: string;
  /** Changes what functions send to the table. */
  tamper?: Tamper;
  /** The same of the functions of the version before alone. */
  tamperBefore?: Tamper;
  /** Changes items as functions of the present version read them. */
  reading?: (item: Item) => Item;
  /** Changes what a function's client of the payment gateway does. */
  gateway?: (client: PaymentGateway, by: string) => PaymentGateway;
}
