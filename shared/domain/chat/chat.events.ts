import * as z from 'zod';
import { defineEvent } from '../../platform/events/event-row.ts';
import { Id } from '../../platform/schema/schema.ts';
import { SenderType } from './chat.schema.ts';

const Message = z.object({
  id: Id.meta({ description: 'The message.' }),
  thread_id: Id,
  booking_id: Id,
  sender_type: SenderType,
});

export const chatEvents = {
  'chat.message_created': defineEvent({
    meaning: 'A person or a partner has written in the chat of a booking.',
    // Of a platform's stay, for the members of the team alone (D120).
    data: Message.extend({ of_platform: z.literal(true).optional() }),
    partners: Message,
    example: {
      id: 17_402_400_000_001,
      thread_id: 17_402_345_678_914,
      booking_id: 17_402_345_678_913,
      sender_type: 'GUEST',
    },
  }),
} as const;
