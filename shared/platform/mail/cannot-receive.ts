/** Whether an address has a name that no one can have (RFC 6761), as that of the canary's guest. */
export const cannotReceive = (address: string): boolean => /\.invalid$/i.test(address.trim());
