/** Default time limit of a bank transfer (D85). */
export const defaultTransferHours = 72;

/** Hours before check-in from which the balance of a payment plan is due, by default (D129). */
export const defaultBalanceHours = 72;
