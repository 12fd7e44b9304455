import type { UserPage } from '../../session/pages/user-pages.ts';
import { memberPaths, storePaths } from '../paths.ts';
import { showActivity } from './activity.tsx';
import { showClosing, showReopening, submitClosing, submitReopening } from './close.tsx';
import { showStore } from './details.tsx';
import { showStoreCreation, showStoreEdit, submitStoreCreation, submitStoreEdit } from './edit.tsx';
import { showExportFile } from './export-file.ts';
import { showExport, submitExport } from './export.tsx';
import { showInvite, showOpenInvitation, submitInvite, submitOpenInvitation } from './invite.tsx';
import { showLeave, submitLeave } from './leave.tsx';
import {
  showHandOver,
  showMember,
  showRemoval,
  submitHandOver,
  submitMember,
  submitRemoval,
} from './member.tsx';
import { showMembers } from './members.tsx';
import { showFactorRule, submitFactorRule } from './second-factor.tsx';

const [alias, userId] = [':alias', ':userId'];

/** What only the owner does, who proves it. */
const ofOwner = { role: 'owner', submitRole: 'owner', needsProof: true } as const;

/** The pages under `/account/stores`, and the form that makes a store. */
export const storePages: readonly UserPage[] = [
  { path: storePaths.activity(alias), role: 'viewer', opensInactive: true, show: showActivity },
  { path: storePaths.create, show: showStoreCreation, onSubmit: submitStoreCreation },
  { path: storePaths.details(alias), role: 'viewer', opensInactive: true, show: showStore },
  {
    path: storePaths.edit(alias),
    role: 'manager',
    show: showStoreEdit,
    onSubmit: submitStoreEdit,
  },
  {
    path: storePaths.secondFactor(alias),
    ...ofOwner,
    show: showFactorRule,
    onSubmit: submitFactorRule,
  },
  {
    path: storePaths.export(alias),
    ...ofOwner,
    opensInactive: true,
    show: showExport,
    onSubmit: submitExport,
  },
  {
    path: storePaths.exportFile(alias, ':id'),
    role: 'owner',
    needsProof: true,
    opensInactive: true,
    show: showExportFile,
  },
  { path: storePaths.close(alias), ...ofOwner, show: showClosing, onSubmit: submitClosing },
  {
    path: storePaths.reopen(alias),
    ...ofOwner,
    opensInactive: true,
    show: showReopening,
    onSubmit: submitReopening,
  },
  {
    path: storePaths.leave(alias),
    role: 'viewer',
    submitRole: 'viewer',
    opensInactive: true,
    show: showLeave,
    onSubmit: submitLeave,
  },
  { path: memberPaths.list(alias), role: 'viewer', show: showMembers },
  { path: memberPaths.invite(alias), ...ofOwner, show: showInvite, onSubmit: submitInvite },
  {
    path: memberPaths.invitation(alias, ':id'),
    ...ofOwner,
    show: showOpenInvitation,
    onSubmit: submitOpenInvitation,
  },
  {
    path: memberPaths.details(alias, userId),
    ...ofOwner,
    show: showMember,
    onSubmit: submitMember,
  },
  {
    path: memberPaths.remove(alias, userId),
    ...ofOwner,
    show: showRemoval,
    onSubmit: submitRemoval,
  },
  {
    path: memberPaths.handOver(alias, userId),
    ...ofOwner,
    show: showHandOver,
    onSubmit: submitHandOver,
  },
];
