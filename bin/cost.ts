import { printBill } from '../infra/cost/print-bill.ts';

/** The bill of a month, from measured units and dated prices. */
console.log(printBill());
