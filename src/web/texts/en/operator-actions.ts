/** The actions of operators, in English: the link, the question, and the consequences. */
export const operatorActionsInEnglish = {
  deactivateStore: {
    link: 'Deactivate',
    question: 'Deactivate {name}?',
    lead: 'No one can open the store. Nothing is sent, captured or reminded until you activate it again. Its owner and managers read the reason.',
  },
  reactivateStore: {
    link: 'Activate again',
    question: 'Activate {name} again?',
    lead: 'Waiting work goes on at once. A store that is closed stays closed.',
  },
  closeStore: {
    link: 'Close',
    question: 'Close {name}?',
    lead: 'The store is inactive at once. Its data are erased after 30 days; until then operators can open it again, but the owner cannot.',
  },
  reopenStore: {
    link: 'Open again',
    question: 'Open {name} again?',
    lead: 'Also a store that the service closed. Nothing is erased, and what waited goes on at once, unless the store is deactivated as well.',
  },
  renameStore: {
    link: 'Change the alias',
    question: 'Change the alias of {name}?',
    lead: 'Addresses with the old alias stop working at once, and another store may take it. Tell the owner before.',
  },
  setStoreLimits: {
    link: 'Set the limits',
    question: 'Set the limits of {name}?',
    lead: 'The store may record this many bytes of events on a day. Beyond them, its imports and bulk changes of prices take turns; everything else goes on. All its callers together may send this many requests in a minute.',
  },
  exportStore: {
    link: 'Export the data',
    question: 'Export the data of {name}?',
    lead: 'Everything that the store has is written to files. The owner gets an e-mail when they are ready.',
  },
  eraseStore: {
    link: 'Erase the data',
    question: 'Ask for the data of {name} to be erased for ever?',
    lead: 'A store that has been closed for 30 days is erased within minutes. It cannot be brought back. Any other store is erased only at once, with another operator.',
  },
  confirmStoreErasure: {
    link: 'Confirm the erasure',
    question: 'Confirm the erasure of {name}?',
    lead: 'The store is closed now, and all members get an e-mail. After 24 hours everything that it has is erased, and cannot be brought back. Until then any operator can cancel it.',
  },
  cancelStoreErasure: {
    link: 'Cancel the erasure',
    question: 'Cancel the erasure of {name}?',
    lead: 'Nothing is erased. A store that is closed stays closed until it is opened again.',
  },
  moveStore: {
    link: 'Move to another database',
    question: 'Move {name} to another database?',
    lead: 'The store can be read all the time. Changes are refused for seconds or minutes, depending on its size.',
  },
  purgeStoreMove: {
    link: 'Delete the old data',
    question: 'Delete what {name} left in its old database?',
    lead: 'The data in the old database, which else stay for 30 days, are deleted within minutes and cannot be brought back. The store itself does not change. Until then they are a copy of the day of the move.',
  },
  inviteOwner: {
    link: 'Send the invitation again',
    question: 'Invite the owner of {name} again?',
    lead: 'The owner has not joined yet. They get an e-mail with a new link that works once, for seven days. The old link stops.',
  },
  inviteMember: {
    link: 'Invite a member',
    question: 'Invite a person to {name}',
    lead: 'They get an e-mail with a link that works once, for seven days.',
  },
  removeMember: {
    link: 'Remove',
    question: 'Remove {name} from the store?',
    lead: 'They lose the store at once, and the apps that they connected there are disconnected.',
  },
  sendPasswordReset: {
    link: 'Send a new password link',
    question: 'Send {name} a link for a new password?',
    lead: 'It works once, for 30 minutes. Nothing changes until it is used.',
  },
  endSessions: {
    link: 'End all sessions',
    question: 'Sign {name} out everywhere?',
    lead: 'Every browser of theirs is signed out. Password and API keys stay.',
  },
  removeSecondFactor: {
    link: 'Remove two-step sign-in',
    question: 'Remove the two-step sign-in of {name}?',
    lead: 'For a user who lost phone and recovery codes. They get an e-mail now and may object for 24 hours. Then the factor is removed and every browser of theirs is signed out. Make sure by another way that they asked for it.',
  },
  deactivateUser: {
    link: 'Lock out',
    question: 'Lock {name} out?',
    lead: 'Sessions end, API keys stop working, and what they connected is disconnected. Their stores stay as they are.',
  },
  reactivateUser: {
    link: 'Let in again',
    question: 'Let {name} sign in again?',
    lead: 'Password and API keys work again. Apps that were disconnected stay so.',
  },
  makeOperator: {
    link: 'Make an operator',
    question: 'Make {name} an operator?',
    lead: 'They can do all that you can do here. They get an e-mail.',
  },
  unmakeOperator: {
    link: 'Take the powers of an operator away',
    question: 'Take the powers of an operator away from {name}?',
    lead: 'These pages are closed to them at once, and their keys for operators stop working.',
  },
  eraseUser: {
    link: 'Erase the user',
    question: 'Erase {name} for ever?',
    lead: 'Name, address and everything personal are erased. They cannot be brought back.',
  },
  disableApp: {
    link: 'Disable',
    question: 'Disable {name}?',
    lead: 'All stores lose their connection to it within a minute, and its webhooks pause. Its partner reads the reason and cannot enable it.',
  },
  enableApp: {
    link: 'Give back to the partner',
    question: 'Give {name} back to its partner?',
    lead: 'It is a draft again. The partner publishes it, and merchants connect it anew.',
  },
  unblockHost: {
    link: 'Unblock',
    question: 'Unblock {name}?',
    lead: 'Its assistants may ask for access again. People connect them anew.',
  },
  drainShard: {
    link: 'Move its stores away',
    question: 'Empty database {name}?',
    lead: 'It takes no new stores, and all its stores move to other databases of the region, a few at a time.',
  },
  pauseShardChanges: {
    link: 'Pause the changes',
    question: 'Pause the long changes of database {name}?',
    lead: 'A step that is under way ends within half a minute. What is done stays done. The next release may wait for them.',
  },
  continueShardChanges: {
    link: 'Continue the changes',
    question: 'Continue the long changes of database {name}?',
    lead: 'They go on where they were paused. A step that failed is repeated at once.',
  },
};
