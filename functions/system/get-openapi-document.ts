import { once } from '../../shared/platform/once.ts';
import { about } from './about.ts';
import { partnerGuide } from './partner-guide.ts';
import { serviceVersion } from './version.ts';

const render = async (): Promise<string> => {
  const [{ openApiDocument }, { routeGroups }] = await Promise.all([
    import('../../shared/platform/http/openapi.ts'),
    import('../routes.ts'),
  ]);
  return JSON.stringify(
    openApiDocument({
      groups: routeGroups,
      title: 'Nightlatch',
      version: serviceVersion(),
      description: `${about}\n\n${partnerGuide()}`,
    }),
  );
};

/** The OpenAPI document of the whole API; made at the first request, so that no other start pays for it (D70). */
export const getOpenApiDocument = once(render);
