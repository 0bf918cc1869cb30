/** Default time limit of a bank transfer (D85). */
export const defaultTransferHours = 72;
