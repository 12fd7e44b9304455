import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

/** States and kinds that operators meet. */
export const operatorEnums: DocumentTexts['enums'] = {
  StoreState: {
    description: 'Whether a store is in service.',
    values: {
      active: 'In service.',
      deactivated: 'Taken out of service by an operator; nothing is lost.',
      closed: 'Closed by its owner or an operator; its data are erased at erase_at.',
      erased: 'Its data are gone, and its alias is free again.',
    },
  },
  StoreCloser: {
    description: 'Who closed a store, and so who opens it again.',
    values: {
      owner: 'Its owner: the owner and operators open it again.',
      operator: 'An operator: only operators open it again.',
    },
  },
  UserState: {
    description: 'Whether a user can sign in.',
    values: {
      active: 'Has a password.',
      invited: 'Has no password yet; the invitation sets one.',
      inactive: 'Locked out by an operator.',
      erased: 'The personal data are erased for ever, and nothing more can be done.',
    },
  },
  AppState: {
    description: 'Which stores can connect an app.',
    values: {
      draft: 'Those of its partner only.',
      published: 'All.',
      disabled: 'None.',
    },
  },
  HealthStatus: {
    description: 'Whether the service needs a person.',
    values: { ok: 'It does not.', attention: 'It does: see problems.' },
  },
  DatabaseState: {
    description: 'Whether a database of stores answers.',
    values: {
      ok: 'It answers.',
      failed: 'It does not answer.',
      restoring: 'It is being brought back to an earlier moment, and nothing uses it.',
    },
  },
  UserLanguage: {
    description: 'The language of mails.',
    values: { en: 'English.', 'pt-BR': 'Brazilian Portuguese.', es: 'Spanish.' },
  },
  InvitedRole: {
    description: 'What a new member may do in the store.',
    values: {
      manager: 'All but members, handing over and closing.',
      viewer: 'Read, and nothing else.',
    },
  },
  JobKind: {
    description: 'What long work does.',
    values: {
      store_export: 'Writes everything that a store has into files.',
      store_erasure: 'Erases everything that a store has.',
      immediate_erasure:
        'The same without 30 days of closing: another operator confirms it, and a day later it begins.',
      store_move: 'Takes a store to another database.',
      store_restore: 'Restores a store from a copy.',
      shard_change: 'Makes the long changes of a release in a database.',
      shard_copy: 'Copies the stores of a database that have changed, each night.',
      test_store_fill: 'Empties a test store, and fills it with test products.',
      shard_drain: 'Takes all stores of a database to others.',
      second_factor_removal: 'Removes the two-step sign-in of a user, after a day to object.',
    },
  },
  JobState: {
    description: 'How far long work is.',
    values: {
      waiting: 'It begins within a minute, or on its day.',
      running: 'It goes on; done and total say how far.',
      done: 'It has ended, with a result.',
      failed: 'It has ended without one; error says why.',
      cancelled: 'It was ended before its result.',
    },
  },
};
