import { browserPaths } from '../session/pages/paths.ts';

const root = browserPaths.operator;

/** The addresses of the pages of operators. */
export const operatorPaths = {
  overview: root,
  stores: `${root}/stores`,
  newStore: `${root}/stores/new`,
  store: (id: number | ':id') => `${root}/stores/${id}`,
  exportFile: (id: number | ':id', jobId: number | ':jobId') =>
    `${root}/stores/${id}/exports/${jobId}`,
  removeMember: (id: number | ':id', userId: number | ':userId') =>
    `${root}/stores/${id}/members/${userId}/remove`,
  users: `${root}/users`,
  newUser: `${root}/users/new`,
  user: (id: number | ':id') => `${root}/users/${id}`,
  apps: `${root}/apps`,
  app: (id: number | ':id') => `${root}/apps/${id}`,
  drain: (number: number | ':number') => `${root}/databases/${number}/empty`,
  activity: `${root}/activity`,
} as const;
