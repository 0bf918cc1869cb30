export { isAllowedAddress } from './allowed-address.ts';
export { fetchOutgoing, type OutgoingReply } from './fetch-outgoing.ts';
export { OutgoingFailure, RefusedAddress } from './refused-address.ts';
export { refusalAt, requireOutgoing } from './require-outgoing.ts';
export { outgoingUrl, type Resolve } from './resolve-address.ts';
