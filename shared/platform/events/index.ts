export { EventEntity, type DomainEvent } from './event.entity.ts';
export {
  eventSource,
  eventTypes,
  type EventMessage,
  type EventType,
  publicEventTypes,
  type PublicEventType,
} from './event-types.ts';
export { recordEvent } from './record-event.ts';
