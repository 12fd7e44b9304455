/** Words that pages of every area share, in English. */
export const commonInEnglish = {
  help: 'Need help? Write to us:',
  ago: '{time} ago',
  ahead: 'in {time}',
  asNumbers: 'As numbers',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Not copied',
  reason: 'Reason',
  reasonHint: 'Anyone who can see the activity can read it.',
  reasonMissing: 'Enter a reason.',
  reasonLong: 'The reason has more than 500 characters.',
};
