import { apiDocument } from '../../functions/system/api-document.ts';

/** The OpenAPI document as a laptop gives it out, with the dates as they are written. */
export const publishedDocument = () => apiDocument({ serverUrl: 'http://127.0.0.1:4000', version: '0.1.0' });
