export { EventEntity, type DomainEvent } from './event.entity.ts';
export { type EventMessage, eventSource } from './event-message.ts';
