import type { Hono } from 'hono';
import type { Faces } from '../http/faces.ts';
import { mountPersonal } from '../session/mount-personal.ts';
import { paths } from '../session/paths.ts';
import { appPaths, moves } from './app-paths.ts';
import { confirmMove } from './confirm-move.tsx';
import { editApp, showEdit } from './edit-app.ts';
import { moveApp } from './move-app.ts';
import { registerApp, showRegister } from './register-app.ts';
import { showApp } from './show-app.tsx';
import { showApps } from './show-apps.tsx';

/** The partner panel: apps, their states, and what happened to their connections. */
export function mountPartners(pages: Hono<Faces>): void {
  const clientId = ':clientId';
  mountPersonal(pages, { root: paths.partners, operation: 'partners' }, [
    { path: paths.partners, show: showApps },
    { path: appPaths.register, show: showRegister, take: registerApp },
    { path: appPaths.app(clientId), show: showApp },
    { path: appPaths.edit(clientId), show: showEdit, take: editApp },
    ...moves.map((move) => ({
      path: appPaths.move(clientId, move),
      show: confirmMove(move),
      take: moveApp(move),
    })),
  ]);
}
