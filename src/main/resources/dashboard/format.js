// Numbers, sizes and times as people read them.

const plain = new Intl.NumberFormat('en');
const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

let offset = 0;

/** The service's clock counts: countdowns are right also where the browser's is wrong. */
export function setClock(serviceNow) {
  const time = Date.parse(serviceNow);
  if (!Number.isNaN(time)) {
    offset = time - Date.now();
  }
}

export function now() {
  return Date.now() + offset;
}

export function number(value) {
  return value === null || value === undefined ? '–' : plain.format(value);
}

export function rate(value) {
  return value >= 10 ? plain.format(Math.round(value)) : oneDigit.format(value ?? 0);
}

export function bytes(value) {
  if (value === null || value === undefined) {
    return '–';
  }
  let unit = 0;
  let rest = value;
  while (rest >= 1000 && unit < UNITS.length - 1) {
    rest /= 1000;
    unit++;
  }
  return `${unit > 0 && rest < 100 ? oneDigit.format(rest) : plain.format(Math.round(rest))} ${UNITS[unit]}`;
}

/** Never says 100 % before all is there. */
export function percent(part, whole) {
  if (!whole || part >= whole) {
    return '100 %';
  }
  const tenths = Math.floor((part / whole) * 1000) / 10;
  return `${tenths >= 99 ? tenths.toFixed(1) : Math.floor(tenths)} %`;
}

export function duration(seconds) {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) {
    return `${s} s`;
  }
  const steps = [[86400, 'd', 3600, 'h'], [3600, 'h', 60, 'min'], [60, 'min', 1, 's']];
  const [big, bigName, small, smallName] = steps.find(([size]) => s >= size);
  const rest = Math.floor((s % big) / small);
  return `${Math.floor(s / big)} ${bigName}${rest > 0 ? ` ${rest} ${smallName}` : ''}`;
}

export function dateTime(instant) {
  return new Date(instant).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

export function clockTime(millis) {
  return new Date(millis).toLocaleTimeString('en-GB');
}
