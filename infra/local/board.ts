import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ServiceError } from '../../shared/platform/errors.ts';
import { browserSafety, errorBody, jsonHeaders } from '../../shared/platform/http/reply.ts';
import { type BoardConfig, type BoardFile, boardHeaders, buildBoard } from '../board/build.ts';
import type { Interceptor } from './gateway/listen.ts';
import { localAudience, localClients } from './settings.ts';

const root = '/board/';

/** Returns the board at `/board/`, as CloudFront serves it on a stage. It is built when it is first asked for. */
export const boardPages = (authUrl: string): Interceptor => {
  const config: BoardConfig = {
    ...{ api_url: '', issuer: `${authUrl}/`, audience: localAudience },
    client_id: localClients.pages.client_id,
  };
  let built: Promise<Map<string, BoardFile>> | undefined;
  const files = (): Promise<Map<string, BoardFile>> => {
    built ??= buildBoard().then((made) => {
      const body = Buffer.from(JSON.stringify(config));
      return made.set('config.json', {
        ...{ contentType: 'application/json; charset=utf-8', cacheControl: 'no-cache', body },
      });
    });
    return built;
  };
  return (request, response) => {
    const [path = ''] = (request.url ?? '/').split('?');
    if (path === '/board') response.writeHead(302, { Location: root }).end();
    else if (path.startsWith(root)) void answer(files(), path.slice(root.length), config, response);
    else return false;
    return true;
  };
};

const answer = async (
  files: Promise<Map<string, BoardFile>>,
  name: string,
  config: BoardConfig,
  response: ServerResponse,
): Promise<void> => {
  try {
    const file = (await files).get(name === '' ? 'index.html' : name);
    if (!file) throw new ServiceError('NOT_FOUND');
    const { contentType, cacheControl, body } = file;
    response
      .writeHead(200, {
        ...browserSafety,
        ...boardHeaders(config),
        'Content-Type': contentType,
        'Cache-Control': cacheControl,
      })
      .end(body);
  } catch (error) {
    const failure = error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR');
    const requestId = randomUUID();
    response
      .writeHead(failure.status, { ...jsonHeaders, 'X-Request-Id': requestId })
      .end(errorBody(failure, requestId));
  }
};
