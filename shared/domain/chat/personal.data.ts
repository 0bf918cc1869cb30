import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of conversations: all of a thread is about its guest. */
export const chatData: Record<string, ClassifiedFields> = {
  ChatThread: {
    none: 'listing_name last_message.created_at created_at',
    personal: 'guest.full_name last_message.text',
  },
  ChatMessage: { none: 'created_at', personal: 'sender_name text' },
  ChatMark: { personal: 'reader' },
};
