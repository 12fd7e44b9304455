/** Words that pages of every area share, in English. */
export const commonInEnglish = {
  help: 'Need help? Write to us:',
  ago: '{time} ago',
  ahead: 'in {time}',
  moreActions: 'More actions',
  look: 'Look at it',
  setUp: 'Set up',
  asNumbers: 'As numbers',
  chart: {
    week: 'Last 7 days: {total}, {change} the week before',
    day: '{change} the day before',
    more: '{share} more than',
    less: '{share} less than',
    same: 'the same as',
  },
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Not copied',
  kept: 'What you typed is still here, but nothing has been saved. Check it and send it again; passwords and files must be entered again.',
  keptUntilSignIn:
    'Your session has ended, and nothing has been saved. Sign in: what you typed is still here.',
  notDone: 'Nothing has been done yet. Check the page, and send it again.',
  reason: 'Reason',
  reasonHint: 'Anyone who can see the activity can read it.',
  reasonMissing: 'Enter a reason.',
  reasonLong: 'The reason has more than 500 characters.',
};
