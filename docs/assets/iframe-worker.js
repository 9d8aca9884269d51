// A browser starts no worker from a file. Where the pages are opened from a folder, the worker of the search runs in a
// hidden frame instead. The name and the way of loading are those of the package iframe-worker, which the theme looks for.
"use strict";
if (location.protocol === "file:") {
  class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      const frame = Object.assign(document.createElement("iframe"), { hidden: true });
      document.body.append(frame);
      this.inside = frame.contentWindow;
      window.addEventListener("message", (event) => {
        if (event.source !== this.inside) return;
        const heard = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(heard);
        this.onmessage?.(heard);
      });
      const page = this.inside.document;
      page.open();
      page.write(`<script>
        const load = (url) => new Promise((done, failed) =>
          document.head.append(Object.assign(document.createElement("script"), { src: url, onload: done, onerror: failed })));
        importScripts = async (...urls) => { for (const url of urls) await load(url); };
        postMessage = (data) => parent.dispatchEvent(new MessageEvent("message", { data, source: window }));
        </scr` + `ipt><script src="${url}"></scr` + `ipt>`);
      page.close();
      this.loaded = new Promise((done, failed) => Object.assign(this.inside, { onload: done, onerror: failed }));
    }

    postMessage(data) {
      this.loaded.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.inside.frameElement.remove();
    }
  }
  Object.assign(window, { IFrameWorker, Worker: IFrameWorker });
}
