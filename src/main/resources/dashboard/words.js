// The words of the protocol and of the sync, each in a sentence for somebody who has never heard it, and what states mean.
// Tones: good, busy, warn, bad, off.

export const WORDS = {
  relay: ['Relay', 'A server that stores signed messages (events) and hands them out. Anybody can run one.'],
  event: ['Event', 'One signed message: a repository’s announcement, an issue, a patch, a comment.'],
  repository: ['Repository', 'A git repository whose owner announced it with an event that names this service.'],
  root: ['Root event', 'A patch, a pull request or an issue: what others reply to.'],
  item: ['Item', 'A repository or a root event whose history is wanted from a relay.'],
  confirmed: ['Complete', 'The share of items of which the relay was asked to the end, and everything it answered is stored here.'],
  state: ['State', 'Whether there is a connection to the relay now, and what it is used for.'],
  health: ['Health', 'Healthy: it answers. Degraded: it failed lately, and is tried again with growing pauses. Dead: it has failed for'
    + ' a day and is tried once a day.'],
  lastHour: ['Last hour', 'Events received from the relay in each of the last 60 minutes.'],
  gaps: ['Gaps', 'Events found later that the relay should have sent at once. Nothing is lost, but it came late.'],
  nextAttempt: ['Next attempt', 'When a relay that is not connected is tried again.'],
  layer: ['Layer', 'What is asked for, in the order in which one thing leads to the next.'],
  last: ['Last outcome', 'How the last question of this kind to the relay ended.'],
  freshSync: ['Fresh sync', 'About once a day everything is asked for again, to find what a relay did not send when it should have.'],
  negentropy: ['Negentropy', 'A way for two sides to find out which events one of them lacks by comparing short sums instead of sending'
    + ' whole lists.'],
  budget: ['Budget', 'How much the relay lets one connection ask for at the same time, as learned from it.'],
  reliability: ['Reliability', 'How often connecting worked, and how much of the time it was connected.'],
  provenance: ['Way here', 'From whom the event came, how, and when it was first seen.'],
  bootstrap: ['Bootstrap relay', 'Named in this service’s configuration, and asked for announcements whoever names it.'],
};

export const WAYS = {
  direct: ['published here', 'A client sent it to this service.'],
  live: ['live', 'A relay passed it on when it appeared there.'],
  first_sync: ['first sync', 'It was fetched from a relay’s history.'],
  catch_up: ['catch-up', 'It was fetched after a connection had been lost for a while.'],
  fresh_sync: ['fresh sync', 'It was found when everything was asked for again.'],
};

export const LAYERS = {
  announcements: 'Which repositories there are, who publishes them, and which relays they name.',
  repositories: 'Everything that names one of our repositories: patches, pull requests, issues, comments.',
  'root events': 'Replies to those patches, pull requests and issues.',
  references: 'Single events that others mention and that were missing here.',
};

const OUTCOMES = {
  drained: ['good', 'asked to the end', 'The relay has nothing more on this.'],
  capped: ['warn', 'cut short', 'The relay hands out only so much at once; the rest is asked for piece by piece.'],
  closed: ['warn', 'refused', 'The relay refused the question; it is asked again later.'],
  'auth-needed': ['warn', 'wants a login', 'The relay answers only to keys it knows.'],
  idle: ['warn', 'fell silent', 'The relay did not finish its answer in time; it is asked again.'],
  lost: ['warn', 'connection broke', 'The connection ended in the middle; it is asked again.'],
  unreconciled: ['busy', 'asked in another way', 'Comparing lists with it did not work out; it is asked page by page at once.'],
  delayed: ['busy', 'put off', 'There was no room for it here; it is asked again soon.'],
};

export function outcome(last) {
  return OUTCOMES[last] ?? ['off', last ?? 'not asked yet', ''];
}

const HEALTH = {
  healthy: ['good', 'Healthy'],
  degraded: ['warn', 'Degraded'],
  dead: ['bad', 'Dead'],
};

export function health(relay) {
  return HEALTH[relay.health] ?? ['off', relay.health ?? 'unknown'];
}

const PHASES = {
  syncing: ['busy', 'Fetching history', 'Connected. What it has of our repositories is being fetched.'],
  synced: ['good', 'In sync', 'Connected. All that is wanted from it is here, and what is new comes at once.'],
  'fresh-sync': ['busy', 'Checking again', 'Connected. Everything is being asked for again, to find what was missed.'],
  waiting: ['warn', 'Waiting', 'Connected. Part of what is wanted from it has to be asked for again later.'],
  unreachable: ['warn', 'Connected', 'Connected.'],
};

/** Tone, name and sentence for what goes on with a relay. */
export function state(relay) {
  if (relay.state === 'connected') {
    return PHASES[relay.phase] ?? ['good', 'Connected', 'Connected.'];
  }
  if (relay.state === 'connecting') {
    return ['busy', 'Connecting', 'A connection is being made.'];
  }
  return relay.health === 'healthy'
    ? ['off', 'Not connected', 'Not connected at the moment.']
    : [relay.health === 'dead' ? 'bad' : 'warn', 'Unreachable', 'It cannot be reached; it is tried again by itself.'];
}

export function needsAttention(relay) {
  return relay.health !== 'healthy' || (relay.state === 'connected' && relay.phase === 'waiting');
}

const VERDICTS = {
  here: ['good', 'It is here'],
  'never-offered': ['warn', 'No relay has offered it'],
  refused: ['bad', 'It was refused'],
  deleted: ['off', 'It was deleted'],
  superseded: ['off', 'A newer version took its place'],
  expired: ['off', 'It has expired'],
  vanished: ['off', 'Its author asked to vanish'],
  waiting: ['busy', 'It waits for something'],
  'not-hosted': ['off', 'It does not belong here'],
  unknown: ['warn', 'Nothing is known of it'],
};

export function verdict(name) {
  return VERDICTS[name] ?? ['off', name];
}

const RELAY_VERDICTS = {
  searched: ['good', 'searched'],
  searching: ['busy', 'being searched'],
  unreachable: ['bad', 'unreachable'],
  capped: ['warn', 'cut short'],
  refused: ['warn', 'refused'],
  'not-asked': ['off', 'not asked'],
};

export function relayVerdict(name) {
  return RELAY_VERDICTS[name] ?? ['off', name];
}
