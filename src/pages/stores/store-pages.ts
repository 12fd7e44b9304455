import { Role } from '../../base/roles.ts';
import type { UserPage } from '../../web/page.ts';
import { memberPaths, storePaths } from '../../web/paths.ts';
import { showExportFile } from './export-file.ts';
import { inviteForm, openInvitationForm } from './invite-form.tsx';
import { handOverForm, memberForm, memberRemovalForm } from './member.tsx';
import { showStore } from './show-store.tsx';
import { closeForm, exportForm, factorRuleForm, leaveForm, reopenForm } from './store-actions.tsx';
import { showActivity } from './store-activity.tsx';
import { storeCreateForm, storeEditForm } from './store-form.tsx';
import { showMembers } from './store-members.tsx';

const alias = ':alias';

/** The pages under `/account/stores`, and the form that creates a store. */
export const storePages: readonly UserPage[] = [
  { path: storePaths.activity(alias), role: Role.viewer, opensInactive: true, show: showActivity },
  storeCreateForm,
  { path: storePaths.details(alias), role: Role.viewer, opensInactive: true, show: showStore },
  storeEditForm,
  factorRuleForm,
  exportForm,
  {
    path: storePaths.exportFile(alias, ':id'),
    role: Role.owner,
    needsProof: true,
    opensInactive: true,
    show: showExportFile,
  },
  closeForm,
  reopenForm,
  leaveForm,
  { path: memberPaths.list(alias), role: Role.viewer, show: showMembers },
  inviteForm,
  openInvitationForm,
  memberForm,
  memberRemovalForm,
  handOverForm,
];
