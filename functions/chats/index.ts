import {
  listExternalMessages,
  listMessages,
  listThreads,
  sendExternalMessage,
  sendMessage,
} from '../../shared/domain/chat/index.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { chatsRoutes } from './routes.ts';

/** The chat routes over any dependencies. */
export const chats = serve(chatsRoutes, {
  listThreads: (ctx, { query }) => listThreads(ctx, query),
  listMessages: (ctx, { params, query }) => listMessages(ctx, params.thread_id, query),
  sendMessage: (ctx, { params, body }) => sendMessage(ctx, params.thread_id, body),
  listExternalMessages: (ctx, { params, query }) => listExternalMessages(ctx, params.booking_id, query),
  sendExternalMessage: (ctx, { params, body }) => sendExternalMessage(ctx, params.booking_id, body),
});

/** The Lambda handler of the chat routes. */
export const handler = chats(environment);
