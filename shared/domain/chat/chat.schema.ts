import * as z from 'zod';
import { Id, Instant, pageOf, pagingFields } from '../../platform/schema/schema.ts';

export const SenderType = z.enum(['SYSTEM', 'GUEST', 'HOST', 'PARTNER']).meta({
  id: 'SenderType',
  description:
    'Who wrote a message. PARTNER: the back end that made the booking, for its guest; SYSTEM: the service itself.',
  examples: ['GUEST'],
});
export type SenderType = z.infer<typeof SenderType>;

const maxCharacters = 4000;

/** Counts code points, so that an emoji is one character. */
const MessageText = z
  .string()
  .refine((text) => /\S/u.test(text), 'must not be empty')
  .refine((text) => Array.from(text).length <= maxCharacters, `must have at most ${maxCharacters} characters`)
  .meta({ description: '1 to 4,000 characters.', minLength: 1, maxLength: maxCharacters });

/** A message of a thread (D65). */
export const ChatMessage = z
  .object({
    id: Id,
    thread_id: Id,
    sender_type: SenderType,
    sender_id: Id.nullable().meta({
      description:
        'The user who wrote it; null for the service, for a partner, and for a guest without an account.',
    }),
    sender_name: z.string().meta({ description: 'Of a message by a partner: the name of its guest.' }),
    text: z.string(),
    created_at: Instant,
  })
  .meta({ id: 'ChatMessage' });
export type ChatMessage = z.infer<typeof ChatMessage>;

/** A message as a key reads it (D92, D93). */
export const ExternalMessage = ChatMessage.extend({
  sender_name: z.string().nullable().meta({
    description:
      'Of a message by a partner: the name of its guest. Null for a key without the scope `personal`, unless it made the booking; `text` is always as it was written.',
  }),
}).meta({ id: 'ExternalMessage' });
export type ExternalMessage = z.infer<typeof ExternalMessage>;

/** A thread between the guest of a booking and the host team (D65). */
export const ChatThread = z
  .object({
    id: Id.meta({ description: 'The `chat_thread_id` of the booking.' }),
    booking_id: Id,
    master_reservation_id: Id,
    team_id: Id,
    listing_id: Id,
    listing_name: z.string(),
    guest: z
      .object({
        user_id: Id.nullable().meta({ description: 'Null for a guest without an account.' }),
        full_name: z.string(),
      })
      .meta({ id: 'ChatGuest' }),
    last_message: ChatMessage.pick({ sender_type: true, text: true, created_at: true }).meta({
      id: 'LastMessage',
    }),
    created_at: Instant,
  })
  .meta({ id: 'ChatThread' });
export type ChatThread = z.infer<typeof ChatThread>;

export const ChatThreadPage = pageOf(ChatThread);
export const ChatMessagePage = pageOf(ChatMessage);
export const ExternalMessagePage = pageOf(ExternalMessage);

export const ListThreadsQuery = z.strictObject({
  ...pagingFields,
  as: z.enum(['guest', 'host']).optional().meta({
    description:
      "`guest`: the threads of the caller's own stays; `host`: those of the acting team (X-Team-ID). Default: `host` for a caller who is a host, else `guest`.",
  }),
});
export type ListThreadsQuery = z.infer<typeof ListThreadsQuery>;

export const ListMessagesQuery = z.strictObject({
  ...pagingFields,
  sort_order: z.enum(['asc', 'desc']).default('asc').meta({ description: 'Oldest first unless `desc`.' }),
});
export type ListMessagesQuery = z.infer<typeof ListMessagesQuery>;

export const SendMessage = z.strictObject({ text: MessageText }).meta({ id: 'SendMessage' });
export type SendMessage = z.infer<typeof SendMessage>;
