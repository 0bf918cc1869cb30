import { Answered } from '../../shared/platform/http/answer.ts';
import { docsPage, docsPolicy } from './docs-page.ts';
import { serviceVersion } from './version.ts';

/** The docs page (D70). */
export const getDocs = async (): Promise<Answered<string>> =>
  new Answered(docsPage(serviceVersion()), { headers: { 'Content-Security-Policy': docsPolicy() } });
