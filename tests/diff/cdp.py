"""A headless Chromium, driven over a pipe with its DevTools protocol. No network, no packages."""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

TIMEOUT = 60


class Failed(Exception):
    pass


def find():
    """The browser, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One page. What the page does besides being asked is kept: requests, errors, dialogs."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="gumshoe-browser-")
        to_read, self.to = os.pipe()
        self.source, to_write = os.pipe()

        def connect():  # Chromium reads from 3 and writes to 4
            inputs, outputs = os.dup(to_read), os.dup(to_write)
            os.dup2(inputs, 3)
            os.dup2(outputs, 4)

        self.process = subprocess.Popen(
            [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--disable-background-networking", "--disable-extensions",
             "--window-size=1400,1000", "--remote-debugging-pipe", f"--user-data-dir={self.folder}"],
            preexec_fn=connect, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.session = b"", 0, None
        self.requests, self.errors, self.dialogs, self.loaded, self.answer = [], [], [], 0, None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")
        self.ask("Network.setBlockedURLs", urls=["http://*", "https://*"])

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.source)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        return self.number

    def receive(self, until):
        """The next message; events are taken note of."""
        while b"\0" not in self.buffer:
            if not select.select([self.source], [], [], max(0, until - time.monotonic()))[0]:
                raise Failed("the browser does not answer")
            data = os.read(self.source, 1 << 16)
            if not data:
                raise Failed("the browser is gone")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, event, about):
        if event == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            self.errors.append(about["exceptionDetails"].get("text", "an exception"))
        elif event == "Runtime.consoleAPICalled" and about["type"] in ("warning", "error"):
            self.errors.append(" ".join(str(part.get("value")) for part in about["args"]))
        elif event == "Log.entryAdded" and about["entry"]["level"] == "error":
            self.errors.append(about["entry"]["text"])
        elif event == "Page.loadEventFired":
            self.loaded += 1
        elif event == "Page.javascriptDialogOpening":
            self.dialogs.append(about["message"])
            self.send("Page.handleJavaScriptDialog", accept=self.answer is not None,
                      promptText=self.answer or "")

    def ask(self, method, **parameters):
        number, until = self.send(method, **parameters), time.monotonic() + TIMEOUT
        while True:
            message = self.receive(until)
            if message.get("id") == number:
                if "error" in message:
                    raise Failed(f"{method}: {message['error']['message']}")
                return message["result"]

    def open(self, address):
        before, until = self.loaded, time.monotonic() + TIMEOUT
        self.ask("Page.navigate", url=address)
        while self.loaded == before:
            self.receive(until)

    def download_to(self, folder):
        self.ask("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def wait(self, what, look):
        """What `look()` finds, as soon as it finds something."""
        until = time.monotonic() + TIMEOUT
        while not (found := look()):
            if time.monotonic() > until:
                raise Failed(f"waited {TIMEOUT} seconds for {what}")
            time.sleep(0.05)
        return found

    def evaluate(self, script):
        result = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in result:
            raise Failed(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def mouse(self, kind, x, y):
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                 clickCount=0 if kind == "mouseMoved" else 1)

    def click(self, x, y):
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.mouse(kind, x, y)

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key)
