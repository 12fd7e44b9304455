/** The script of the home. Follows fragments of releases in which all documentation was one page, such as `/docs#createWebhook`. */
declare const OLD_ANCHORS: Record<string, string>;

function follow() {
  const fragment = decodeURIComponent(location.hash.slice(1));
  if (fragment === '' || document.getElementById(fragment)) return;
  const address = Object.hasOwn(OLD_ANCHORS, fragment) ? OLD_ANCHORS[fragment] : undefined;
  if (address !== undefined) location.replace(address);
}

follow();
addEventListener('hashchange', follow);
