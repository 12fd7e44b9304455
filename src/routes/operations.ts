import { loadRouteGroup } from '../http/mount.ts';
import { routeGroups } from './route-groups.ts';

/**
 * All operations of the API, loaded. For the document and for tests: a request loads its own group
 * only.
 */
export const operationGroups = await Promise.all(routeGroups.map(loadRouteGroup));
