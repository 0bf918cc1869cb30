import { Reply } from '../../shared/platform/http/reply.ts';
import { docsPage, docsPolicy } from './docs-page.ts';
import { serviceVersion } from './version.ts';

/** The docs page (D70). */
export const getDocs = async (): Promise<Reply<string>> =>
  new Reply(docsPage(serviceVersion()), { headers: { 'Content-Security-Policy': docsPolicy() } });
