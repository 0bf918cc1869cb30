import { PaymentMethod } from '../payment/payment-method.schema.ts';

/** How money can come: as a stay is to be paid, or otherwise at the desk (D127). */
export const takenMethods = [...PaymentMethod.options, 'CARD_ON_SITE', 'OTHER'] as const;
export type TakenMethod = (typeof takenMethods)[number];
