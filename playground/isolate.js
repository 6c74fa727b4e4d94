// A service worker for hosts whose headers cannot be set: it answers every request with the same response, the two headers that
// make a page cross-origin isolated, which is what gives it threads, and the policy that says what page and workers may load. The
// policy is put in when the page is built (policy-plugin.ts).
const policy = POLICY;
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  // A request that only the cache may answer cannot be made again from here.
  if (event.request.cache === 'only-if-cached' && event.request.mode !== 'same-origin') return;
  event.respondWith(
    fetch(event.request).then((response) => {
      if (response.status === 0) return response;
      const headers = new Headers(response.headers);
      headers.set('Cross-Origin-Opener-Policy', 'same-origin');
      headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
      headers.set('Content-Security-Policy', policy);
      const { status, statusText } = response;
      return new Response(response.body, { status, statusText, headers });
    }),
  );
});
