import {
  listExternalMessages,
  listMessages,
  listThreads,
  sendExternalMessage,
  sendMessage,
} from '../../shared/domain/chat/index.ts';
import { environment } from '../../shared/platform/environment.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { chatsRoutes } from './routes.ts';

/** The chat routes over any dependencies. */
export const chats = serve(chatsRoutes, {
  listThreads,
  listMessages,
  sendMessage,
  listExternalMessages,
  sendExternalMessage,
});

/** The Lambda handler of the chat routes. */
export const handler = chats(environment);
