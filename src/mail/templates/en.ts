import type { MailTexts } from './mail-texts.ts';

export const englishMails: MailTexts = {
  greeting: 'Hello {name},',
  greetingWithoutName: 'Hello,',
  openAddress: 'If the button does not work, open this address:',
  reasons: {
    address:
      'You get this mail because this address was entered at {service}. If you do not know why, ignore it: nothing happens.',
    account:
      'You get this mail because it is about the security of your account at {service}. Such mails cannot be switched off.',
    store: 'You get this mail because you belong to this store at {service}.',
    partner: 'You get this mail because you develop apps for {service}.',
    operators: 'You get this mail because you are an operator of {service}.',
  },
  unsubscribe: 'Stop e-mails of this kind',
  preferences: 'Choose which mails you get',
  support: 'Questions? Write to {address}.',
  roles: { owner: 'owner', manager: 'manager', viewer: 'viewer' },
  mails: {
    invitation_user: {
      subject: 'You are invited to {service}',
      body: [
        '{inviter} created an account for you. Choose a password to start using it.',
        'The link works once, within 7 days.',
      ],
      button: 'Accept the invitation',
    },
    invitation_store: {
      subject: 'You are invited to a store on {service}',
      body: [
        '{inviter} invites you to work on the store {store}. Your role: {role}.',
        'The link works once, within 7 days.',
      ],
      button: 'Accept the invitation',
    },
    invitation_partner: {
      subject: 'You are invited to a team on {service}',
      body: [
        '{inviter} invites you to look after their apps together.',
        'The link works once, within 7 days.',
      ],
      button: 'Accept the invitation',
    },
    sign_up: {
      subject: 'Confirm your address',
      body: [
        'Confirm that this address is yours, and your account is ready.',
        'The link works once, within 24 hours. If you did not sign up, ignore this mail: no account is created.',
      ],
      button: 'Confirm and go on',
    },
    sign_up_known: {
      subject: 'You have an account already',
      body: [
        'A sign-up with this address was requested, but the address has an account already. Nothing has changed.',
        'If it was you, sign in as usual. If you forgot your password, choose a new one.',
      ],
      button: 'Choose a new password',
    },
    password_reset: {
      subject: 'Choose a new password',
      body: [
        'You can choose a new password now. This ends all your sessions.',
        'The link works once, within 30 minutes. If you did not ask for it, ignore this mail: your password stays as it is.',
      ],
      button: 'Choose a new password',
    },
    password_changed: {
      subject: 'Your password was changed',
      body: [
        'The password of your account was changed.',
        'If it was not you, choose a new one at once. This ends all sessions.',
      ],
      button: 'It was not me',
    },
    email_change_requested: {
      subject: 'Your address is about to change',
      body: [
        'A change of the address of your account to {newEmail} was requested in a signed-in session. The address changes once the new one is confirmed.',
        'If it was not you, change your password at once and end all sessions.',
      ],
      button: 'Look at my account',
    },
    email_confirmation: {
      subject: 'Confirm your new address',
      body: [
        'Confirm that this address is yours. From then on you sign in with it.',
        'The link works once, within 24 hours.',
      ],
      button: 'Confirm the address',
    },
    email_changed: {
      subject: 'Your address was changed',
      body: [
        'The address of your account is now {newEmail}.',
        'If it was not you, take the change back within 7 days. This ends all sessions.',
      ],
      button: 'Take the change back',
    },
    email_change_undone: {
      subject: 'Your address is back',
      body: [
        'The change of your address was taken back, and mails about your account come here again. Those of the time in between went to the other address.',
        'What was done in your account in that time ended or was put back where that is possible. Below is what we found. Please look at what remains. An empty list means that nothing was done.',
      ],
      button: 'Look at my account',
    },
    doors_shut: {
      subject: 'All doors of your account are shut',
      body: [
        'All doors of your account were shut by a signed-in device: other devices are signed out, and API keys, connections of apps, open invitations and links have ended. Webhooks may pause.',
        'If it was you, choose a new password now, then make the API keys that you need. If it was not you, choose a new password at once.',
      ],
      button: 'Look at my account',
    },
    new_sign_in: {
      subject: 'New sign-in from {country}',
      body: [
        'There was a sign-in to your account from a new country: {country}. Device: {device}.',
        'If it was you, all is well. If not, end that session and change your password.',
      ],
      button: 'See my sessions',
    },
    new_sign_in_somewhere: {
      subject: 'New sign-in to your account',
      body: [
        'There was a sign-in to your account from a new place. Device: {device}.',
        'If it was you, all is well. If not, end that session and change your password.',
      ],
      button: 'See my sessions',
    },
    api_key_created: {
      subject: 'New API key',
      body: [
        'The API key {name}, which ends in {lastFour}, was created in your account.',
        'If it was not you, revoke it and change your password.',
      ],
      button: 'See my API keys',
    },
    api_key_revoked: {
      subject: 'An API key was revoked',
      body: [
        'An operator of {service} revoked the API key {name}, which ends in {lastFour}. What uses it no longer works. Reason: {reason}',
        'Make a new key, and put it where the old one was. If you think that this is wrong, write to {contact}.',
      ],
      button: 'See my API keys',
    },
    recovery_code_used: {
      subject: 'A recovery code was used',
      body: [
        'One of your recovery codes was used in place of your authenticator app. Codes left: {count}.',
        'If it was not you, change your password at once: that signs everybody out. Then make new codes.',
      ],
      button: 'Security of my account',
    },
    user_deactivated: {
      subject: 'Your account is locked',
      body: [
        'We locked your account at {service}. You cannot sign in, your API keys do not work, and the apps that you connected lost their access. Your stores stay as they are. Reason: {reason}',
        'If you think that this is wrong, write to {contact}, from this address.',
      ],
    },
    second_factor_on: {
      subject: 'Two-step sign-in is on',
      body: [
        'Your account now asks for a code of your authenticator app at each sign-in.',
        'If it was not you, choose a new password at once.',
      ],
      button: 'Security of my account',
    },
    second_factor_off: {
      subject: 'Two-step sign-in is off',
      body: [
        'Your account no longer asks for a code at sign-in. The password alone is enough.',
        'If it was not you, switch it on again and change your password.',
      ],
      button: 'Security of my account',
    },
    second_factor_codes: {
      subject: 'New recovery codes',
      body: [
        'New recovery codes were created for your account. The old ones no longer work.',
        'If it was not you, make new ones and change your password.',
      ],
      button: 'Security of my account',
    },
    second_factor_removed: {
      subject: 'Your two-step sign-in was removed',
      body: [
        'An operator of {service} removed the two-step sign-in of your account, as announced a day ago. Your password alone is enough to sign in, and all devices are signed out.',
        'Sign in and set it up again. If you did not ask for this, choose a new password first.',
      ],
      button: 'Security of my account',
    },
    passkey_added: {
      subject: 'A passkey was added',
      body: [
        'A passkey was added to your account: {name}. It signs in to your account.',
        'If it was not you, remove it on the security page, and change your password.',
      ],
      button: 'Security of my account',
    },
    passkey_removed: {
      subject: 'A passkey was removed',
      body: [
        'A passkey was removed from your account: {name}. All other devices were signed out.',
        'If it was not you, change your password.',
      ],
      button: 'Security of my account',
    },
    passkey_blocked: {
      subject: 'A passkey is blocked',
      body: [
        'A passkey of your account is blocked: {name}. Its device answered as a copy of it would.',
        'Remove it on the security page, and make a new one on a device that only you have.',
      ],
      button: 'Security of my account',
    },
    device_remembered: {
      subject: 'A device is remembered',
      body: [
        'For 30 days a device signs in to your account with the password alone: {device}. A right code was entered on it.',
        'If it was not you, forget it on the security page, and change your password.',
      ],
      button: 'Security of my account',
    },
    codes_guessed: {
      subject: 'Wrong codes for your account',
      body: [
        'Somebody entered {count} wrong codes for your account within an hour. They had your password. Further codes have to wait.',
        'If it was not you, change your password and sign out everywhere.',
      ],
      button: 'Security of my account',
    },
    second_factor_removal: {
      subject: 'Your two-step sign-in will be removed tomorrow',
      body: [
        'An operator of {service} removes the two-step sign-in of your account in 24 hours. Reason: {reason}.',
        'If you lost your phone and asked for this, do nothing. Your password stays as it is.',
        'If you did not ask for it, keep two-step sign-in. The button works once, within 24 hours.',
      ],
      button: 'Keep two-step sign-in',
    },
    app_connected: {
      subject: 'App connected to {store}',
      body: [
        'The app {app} by {publisher} is now connected to the store {store}.',
        'You see what it may do, and disconnect it, in your account.',
      ],
      button: 'See connected apps',
    },
    app_disconnected: {
      subject: 'App disconnected from {store}',
      body: [
        'The app {app} is no longer connected to the store {store}. Its access has ended, and its webhooks are paused.',
      ],
      button: 'See connected apps',
    },
    app_address_changed: {
      subject: 'An address of an app was changed',
      body: [
        '{member} changed an address of the app {app}. It now leads to {host}.',
        'The activity of your team says what was there before. If you do not know this address, change it back, and remove from the team who changed it.',
      ],
      button: 'See the activity',
    },
    app_secret_changed: {
      subject: 'An app has a new signing secret',
      body: [
        '{member} replaced the secret that signs the events of the app {app}.',
        'If you did not expect it, ask them, and replace the secret again.',
      ],
      button: 'See the activity',
    },
    app_disabled: {
      subject: 'One of your apps was disabled',
      body: [
        'We disabled the app {app}. Its connections have ended, and nobody can connect it. Reason: {reason}',
        'If you think that this is wrong, write to {contact}. Say what you have changed: an operator can give the app back to you.',
      ],
      button: 'See your apps',
    },
    member_invited: {
      subject: 'A person was invited to your store',
      body: [
        'An operator of {service} invited {email} to the store {store}. Role: {role}. Reason: {reason}.',
        'The invitation can be withdrawn on the page of the members until it is accepted.',
      ],
      button: 'See the members',
    },
    member_added: {
      subject: 'A new member works on {store}',
      body: ['{member} accepted the invitation to the store {store}. Role: {role}.'],
      button: 'See my stores',
    },
    member_removed: {
      subject: 'A member no longer works on {store}',
      body: ['{member} is no longer a member of the store {store}. Access has ended.'],
      button: 'See my stores',
    },
    you_were_removed: {
      subject: 'You no longer work on a store',
      body: [
        'You are no longer a member of the store {store}. Your account and your other stores stay.',
      ],
    },
    role_changed: {
      subject: 'You have another role in {store}',
      body: ['Your role in the store {store} is now: {role}. It was changed by {by}.'],
      button: 'See my stores',
    },
    ownership_handed_over: {
      subject: '{store} has a new owner',
      body: ['The store {store} now belongs to {member}.'],
      button: 'See my stores',
    },
    webhook_destination: {
      subject: 'Events of {store} go to a new address',
      body: [
        'Events of the store {store} are now sent to {host}: a webhook was created, or its address was changed.',
        'The activity of the store says who did it. If you do not know this receiver, delete the webhook, and revoke the key or the app.',
      ],
      button: 'See the webhooks',
    },
    webhook_failing: {
      subject: 'A webhook of {store} has been failing for {hours} hours',
      body: [
        'The receiver {host} has not taken any event of the store {store} for {hours} hours.',
        'We go on trying. After 120 hours the webhook is switched off. Ask the operator of the receiver to look at it.',
      ],
      button: 'See the webhooks',
    },
    webhook_switched_off: {
      subject: 'A webhook of {store} was switched off',
      body: [
        'The receiver {host} did not take the events of the store {store}, so its webhook was switched off.',
        'Events are kept. When the receiver works again, switch the webhook on, and they are sent.',
      ],
      button: 'See the webhooks',
    },
    app_webhook_switched_off: {
      subject: 'The webhook of an app was switched off',
      body: [
        'The receiver {host} did not take the events of your app {app}, so its webhook was switched off.',
        'Events are kept for 30 days. When the receiver works again, open the webhook of the app and save it, and they are sent.',
      ],
      button: 'See my apps',
    },
    event_budget: {
      subject: '{store} has used {percent} % of its events of today',
      body: [
        'The store {store} has recorded {percent} % of the {budget} of events that it may record today (UTC).',
        'Beyond it, imports and calls that change many prices are slower. All else goes on as before. Look for a program that changes the same records again and again.',
      ],
      button: 'See the webhooks',
    },
    export_ready: {
      subject: 'The export of {store} is ready',
      body: ['The file that you asked for is ready. Download it before it is deleted.'],
      button: 'Download',
    },
    store_made: {
      subject: 'A store is yours',
      body: [
        '{inviter} opened the store {store} for you. It is yours.',
        'Sign in with your usual password, and you see the store in your account.',
      ],
      button: 'See my stores',
    },
    store_deactivated: {
      subject: 'The store {store} was deactivated',
      body: [
        'The store {store} was deactivated. Reason: {reason}.',
        'Nothing is sent or charged for it. Its data are kept. If you think that this is wrong, write to {contact}.',
      ],
      button: 'See my stores',
    },
    store_reactivated: {
      subject: 'The store {store} is active again',
      body: ['The store {store} is active again. Everything that waited goes on now.'],
      button: 'See my stores',
    },
    store_closing: {
      subject: 'The data of {store} will be erased on {date}',
      body: [
        'The store {store} is closed. On {date} all its data are erased for good.',
        'If you still need them, ask for an export before then.',
      ],
      button: 'See my stores',
    },
    store_erasure_asked: {
      subject: 'An operator asked to erase the data of {store}',
      body: [
        'An operator of {service} asked for all data of the store {store} to be erased for good. Reason: {reason}.',
        'Another operator must confirm it. Once one does, the store is closed and its data are erased a day later; you get a mail then.',
        'If this is wrong, or if you need the data, tell us now: {contact}.',
      ],
      button: 'See my stores',
    },
    store_erasure_confirmed: {
      subject: 'The data of {store} will be erased within a day',
      body: [
        'Two operators of {service} decided that all data of the store {store} are erased for good, 24 hours after this mail ({date}). Reason: {reason}. The store is closed.',
        'Until then any operator can stop it. If this is wrong, or if you need the data, tell us at once: {contact}.',
      ],
      button: 'See my stores',
    },
    operator_made: {
      subject: 'You are now an operator',
      body: [
        'Your account may now look after all stores and users of {service}.',
        'If you did not expect this, contact another operator at once.',
      ],
      button: 'Open the operators’ pages',
    },
    operator_added: {
      subject: 'There is a new operator',
      body: [
        '{by} made a user an operator, who may now look after all stores and users of {service}. Reason: {reason}.',
        'If you did not expect this, take these powers away at once.',
      ],
      button: 'See the user',
    },
    store_erasure_asked_told: {
      subject: 'An operator asked to erase a store',
      body: [
        '{by} asked for all data of the store {store} to be erased for good. Reason: {reason}.',
        'It waits for another operator. If it is wrong, cancel it on the page of the store.',
      ],
      button: 'See the store',
    },
    store_erasure_confirmed_told: {
      subject: 'A store will be erased within a day',
      body: [
        '{by} confirmed that all data of the store {store} are erased for good, 24 hours after this mail ({date}). Reason: {reason}. The store is closed.',
        'Until then you can cancel it on the page of the store.',
      ],
      button: 'See the store',
    },
  },
};
