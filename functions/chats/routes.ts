import * as z from 'zod';
import {
  ChatMessage,
  ChatMessagePage,
  ChatThreadPage,
  ExternalMessagePage,
  ListMessagesQuery,
  ListThreadsQuery,
  SendMessage,
} from '../../shared/domain/chat/chat.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { Id, PathId, queryNumber } from '../../shared/platform/schema/schema.ts';

const thread = {
  id: exampleIds.booking,
  booking_id: exampleIds.booking,
  master_reservation_id: exampleIds.booking - 1,
  team_id: 71,
  listing_id: 4711,
  listing_name: 'Biệt thự Đà Lạt',
  guest: { user_id: 5312, full_name: 'Nguyễn Văn An' },
  last_message: {
    sender_type: 'GUEST',
    text: 'Chúng tôi đến lúc 16 giờ.',
    created_at: '2027-01-15T03:05:00.000Z',
  },
  created_at: '2027-01-15T03:00:00.000Z',
} as const;

const message = {
  id: 17_402_349_999_001,
  thread_id: thread.id,
  sender_type: 'GUEST',
  sender_id: 5312,
  sender_name: 'Nguyễn Văn An',
  text: 'Chúng tôi đến lúc 16 giờ.',
  created_at: '2027-01-15T03:05:00.000Z',
} as const satisfies ChatMessage;

const page = { total: 1, total_is_exact: true, page: 1, limit: 20, total_pages: 1, next_cursor: null };
const params = z.strictObject({ thread_id: queryNumber(Id) });

const bookingId = z.strictObject({ booking_id: PathId });

const ofPartner = { booking_id: exampleIds.ofPartner };

const partnerMessage = {
  ...message,
  thread_id: exampleIds.ofPartner,
  sender_type: 'PARTNER',
  sender_id: null,
  sender_name: 'Trần Thị Bình',
} as const satisfies ChatMessage;

/** Guest and host write to each other about a booking (D65); for a guest without an account, the partner does (D92). */
export const chatsRoutes = defineRoutes('chats', {
  listThreads: {
    method: 'GET',
    path: '/api/v1/chats',
    access: 'customer',
    tag: 'Chat',
    summary: 'The chat threads of the caller, the last written first',
    description:
      'A guest sees the threads of the own stays; a host those of the acting team (X-Team-ID). `as` chooses where one is both.',
    query: ListThreadsQuery,
    status: 200,
    reply: ChatThreadPage,
    errors: ['FORBIDDEN'],
    examples: { reply: { items: [thread], ...page } },
  },
  listMessages: {
    method: 'GET',
    path: '/api/v1/chats/{thread_id}/messages',
    access: 'customer',
    tag: 'Chat',
    summary: 'The messages of a thread, oldest first',
    params,
    query: ListMessagesQuery,
    status: 200,
    reply: ChatMessagePage,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    examples: { reply: { items: [message], ...page } },
  },
  sendMessage: {
    method: 'POST',
    path: '/api/v1/chats/{thread_id}/messages',
    access: 'customer',
    tag: 'Chat',
    summary: 'Writes a message into a thread',
    params,
    body: SendMessage,
    status: 201,
    reply: ChatMessage,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    idempotent: true,
    examples: { body: { text: message.text }, reply: message },
  },
  listExternalMessages: {
    method: 'GET',
    path: '/api/v1/external/bookings/{booking_id}/messages',
    access: 'partner',
    scope: 'read',
    tag: 'External API',
    summary: 'The messages about a booking of the key’s teams, oldest first',
    description:
      'A reading by the partner does not count as one by the guest: a guest without an account goes on to get a mail about what the host writes. `sender_name` is null for a key without the scope `personal`, unless it made the booking.',
    params: bookingId,
    query: ListMessagesQuery,
    status: 200,
    reply: ExternalMessagePage,
    errors: ['EXTERNAL_BOOKING_NOT_ACCESSIBLE'],
    examples: { params: ofPartner, reply: { items: [partnerMessage], ...page } },
  },
  sendExternalMessage: {
    method: 'POST',
    path: '/api/v1/external/bookings/{booking_id}/messages',
    access: 'partner',
    scope: 'book',
    tag: 'External API',
    summary: 'Writes a message to the host for the guest of a booking that this key made',
    description:
      'The host sees the name of the guest and that the partner wrote. A booking that another made can be read but not written to: FORBIDDEN.',
    params: bookingId,
    body: SendMessage,
    status: 201,
    reply: ChatMessage,
    errors: ['EXTERNAL_BOOKING_NOT_ACCESSIBLE', 'FORBIDDEN'],
    idempotent: true,
    examples: { params: ofPartner, body: { text: partnerMessage.text }, reply: partnerMessage },
  },
});
