"""picus view: the page of a run in a browser, and its server. Usage: view_test.py PICUS"""

import contextlib
import http.client
import os
import re
import resource
import signal
import socket
import stat
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
from picus_test import PICUS, PicusTest  # noqa: E402: it takes PICUS from the command line

PAGE = b"<!doctype html><title>stand-in</title><script>document.title = 'run'</script>\n"
SECRET = b"nobody may read this"


class ViewTest(PicusTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("a"))
        self.write("a/report.html", PAGE)
        self.write("a/states.csv", b"t,x\n0,1\n")
        self.write("a/summary.json", b"{}\n")
        self.write("a/result.h5", bytes(range(256)))
        self.write("a/notes.txt", SECRET)
        self.write("secret.csv", SECRET)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)

    def environment(self, **changes):
        """Without a display or a browser, whatever the machine has."""
        kept = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")}
        return {**kept, **changes}

    def start(self, *arguments, environment=None, cwd=None, **options):
        """A server, its address read from standard output."""
        process = subprocess.Popen([PICUS, "view", *arguments], cwd=cwd or self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=environment or self.environment(), **options)
        self.addCleanup(self.end, process)
        line = process.stdout.readline()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\n", line)
        if found is None:
            self.fail(f"no address but {line!r}, {process.stderr.read()}")
        self.port = int(found[1])
        return process

    def end(self, process):
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=10)

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        self.addCleanup(connection.close)
        return connection

    def raw(self, data):
        """All that the server answers to these bytes."""
        with contextlib.closing(self.connect()) as connection:
            connection.sendall(data)
            return self.rest(connection)

    def rest(self, connection):
        parts = []
        while part := connection.recv(1 << 16):
            parts.append(part)
        return b"".join(parts)

    def ask(self, target, method="GET", body=None, **headers):
        """Status, headers and body; header names with '_' for '-'."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        self.addCleanup(connection.close)
        connection.request(method, target, body, {k.replace("_", "-"): v for k, v in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def status(self, target, method="GET", **headers):
        return self.ask(target, method, **headers)[0]

    def head(self, first_line, *fields):
        lines = [first_line, *(fields or (f"Host: 127.0.0.1:{self.port}",))]
        return "\r\n".join([*lines, "", ""]).encode("latin-1")


class View(ViewTest):
    """What is served, and how."""

    def test_the_page_and_the_files_of_a_run(self):
        self.start("a", "--port", "0")
        types = {"/": "text/html; charset=utf-8", "/report.html": "text/html; charset=utf-8",
                 "/states.csv": "text/csv; charset=utf-8", "/summary.json": "application/json; charset=utf-8",
                 "/result.h5": "application/x-hdf5"}
        for target, kind in types.items():
            status, headers, body = self.ask(target)
            with open(self.path("a", target[1:] or "report.html"), "rb") as file:
                self.assertEqual((status, body), (200, file.read()), target)
            self.assertEqual(headers["Content-Type"], kind)
        self.assertEqual(self.ask("/report.html?t=1.5")[2], PAGE)

    def test_headers_that_keep_the_page_to_itself(self):
        self.start("a", "--port", "0")
        for target in ("/", "/states.csv", "/nothing"):
            headers = self.ask(target)[1]
            for name, value in {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin",
                                "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "Connection": "close"}.items():
                self.assertEqual(headers.get_all(name), [value])
            self.assertIsNone(headers["Access-Control-Allow-Origin"])
            policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
            self.assertEqual((policy["default-src"], policy["frame-ancestors"]), ("'none'", "'none'"))
            inline = {"script-src": "'unsafe-inline'", "style-src": "'unsafe-inline'", "img-src": "data: blob:", "font-src": "data:"}
            for name, value in inline.items():
                self.assertEqual(policy.get(name), value if target == "/" else None)
            self.assertNotIn("connect-src", policy)  # so default-src counts

    def test_head_tells_the_same_without_the_body(self):
        self.start("a", "--port", "0")
        for target in ("/", "/states.csv", "/nothing"):
            status, headers, body = self.ask(target)
            answer = self.raw(self.head(f"HEAD {target} HTTP/1.1"))
            self.assertTrue(answer.endswith(b"\r\n\r\n") and answer.count(b"\r\n\r\n") == 1, answer)
            self.assertTrue(answer.startswith(f"HTTP/1.1 {status} ".encode()))
            self.assertIn(f"Content-Length: {len(body)}\r\n".encode(), answer)
            again = self.ask(target, "HEAD")[1]
            for both in (headers, again):
                del both["Date"]
            self.assertEqual(sorted(again.items()), sorted(headers.items()))

    def test_ranges_are_not_served_and_that_is_said(self):
        self.start("a", "--port", "0")
        status, headers, body = self.ask("/", Range="bytes=2-5")
        self.assertEqual((status, headers["Accept-Ranges"], body), (200, "none", PAGE))

    def test_requests_in_pieces_and_one_after_another(self):
        self.start("a", "--port", "0")
        connection = self.connect()
        for byte in self.head("GET / HTTP/1.1"):
            connection.sendall(bytes([byte]))
        self.assertTrue(self.rest(connection).endswith(PAGE))
        # A second request behind the first is not answered: one a connection.
        self.assertEqual(self.raw(self.head("GET / HTTP/1.1") * 2).count(b"HTTP/1.1 200"), 1)
        self.assertTrue(self.raw(self.head("GET / HTTP/1.0")).endswith(PAGE))

    def peak(self, process):
        """Most memory that it had so far, kB."""
        with open(f"/proc/{process.pid}/status") as file:
            return int(re.search(r"VmHWM:\s+(\d+) kB", file.read())[1])

    def test_large_files_come_in_pieces(self):
        """200 MB without more memory, and small files come in between."""
        size = 200_000_000
        with open(self.path("a", "result.h5"), "wb") as file:
            file.truncate(size - 3)
            file.seek(size - 3)
            file.write(b"end")
        process = self.start("a", "--port", "0")
        peak = self.peak(process)
        connection = self.connect()
        connection.sendall(self.head("GET /result.h5 HTTP/1.1"))
        got, last = len(connection.recv(1000)), b""
        self.assertEqual(self.ask("/")[2], PAGE)
        while part := connection.recv(1 << 20):
            got, last = got + len(part), (last + part)[-3:]
        self.assertEqual((got > size, last), (True, b"end"))
        self.assertLess(self.peak(process) - peak, 20_000)

    def test_a_new_run_is_served_at_once(self):
        self.start("a", "--port", "0")
        self.assertEqual(self.ask("/")[2], PAGE)
        self.write("a/new", b"new page")
        os.replace(self.path("a", "new"), self.path("a", "report.html"))
        self.assertEqual(self.ask("/")[2], b"new page")
        os.remove(self.path("a", "report.html"))
        self.assertEqual(self.status("/"), 404)

    def test_a_real_run(self):
        """All files that picus run writes, its page among them."""
        self.assertEqual(self.picus("run", "slider-crank", "--out", "b", "--end", "0.01").returncode, 0)
        self.assertIn("report.html", os.listdir(self.path("b")))
        self.start("b", "--port", "0")
        for name in os.listdir(self.path("b")):
            with open(self.path("b", name), "rb") as file:
                self.assertEqual(self.ask("/" + name)[2], file.read(), name)


class ViewRefuses(ViewTest):
    """What nobody gets."""

    def test_only_files_of_a_run(self):
        os.mkdir(self.path("a", "energy.csv"))
        self.write("a/energy.csv/states.csv", SECRET)
        os.mkfifo(self.path("a", "events.csv"))
        self.start("a", "--port", "0")
        for target in ("/notes.txt", "/energy.csv", "/energy.csv/", "/energy.csv/states.csv", "/events.csv", "/contacts.csv",
                       "/nothing", "/index.html", "/favicon.ico", "/STATES.CSV", "/states.csv/", "/.", "/a"):
            status, headers, body = self.ask(target)
            self.assertEqual((status, body), (404, b"404 Not Found\n"), target)
            self.assertEqual(headers["Content-Type"], "text/plain; charset=utf-8")

    def test_no_way_out_of_the_folder(self):
        self.write("states.csv", SECRET)
        self.start("a", "--port", "0")
        above = self.folder
        for target in ("/../states.csv", "/../secret.csv", "/..", "/../", "/a/../states.csv", "/./states.csv", "//states.csv",
                       "/%2e%2e/states.csv", "/..%2fstates.csv", "/%2e%2e%2fstates.csv", "/..%5cstates.csv", "/..\\states.csv",
                       "/states%2ecsv", "/states.csv%00", "/%00", "/%252e%252e/states.csv", "/..%c0%afstates.csv",
                       f"{above}/states.csv", f"/{above}/states.csv", f"//{above}/states.csv", f"file://{above}/states.csv",
                       f"http://127.0.0.1:{self.port}/states.csv", "states.csv", "../states.csv", "/notes.txt?/states.csv",
                       "*", "?", "/#/states.csv", "/" + "../" * 20 + "etc/passwd"):
            answer = self.raw(self.head(f"GET {target} HTTP/1.1"))
            self.assertTrue(answer.startswith(b"HTTP/1.1 404 "), (target, answer))
            self.assertNotIn(SECRET, answer)
        for target in ("/notes.txt\0", "/notes.txt\0/states.csv", "/../states.csv\0.csv", "/\x01", "/\x7f", "/a\tb"):
            self.assertRegex(self.raw(self.head(f"GET {target} HTTP/1.1")), rb"^HTTP/1.1 40[04] ", target)

    def test_links_are_not_followed(self):
        os.remove(self.path("a", "states.csv"))
        os.symlink(self.path("secret.csv"), self.path("a", "states.csv"))
        os.symlink("summary.json", self.path("a", "outputs.csv"))
        self.start("a", "--port", "0")
        self.assertEqual(self.status("/states.csv"), 404)
        self.assertEqual(self.status("/outputs.csv"), 404)  # not even within the folder
        os.remove(self.path("a", "report.html"))
        os.symlink(self.path("secret.csv"), self.path("a", "report.html"))
        self.assertEqual((self.status("/"), self.status("/report.html")), (404, 404))
        self.assertEqual(self.status("/summary.json"), 200)

    def test_foreign_hosts(self):
        self.start("a", "--port", "0")
        port = self.port
        for host in (f"127.0.0.1:{port}", f"localhost:{port}"):
            self.assertEqual(self.status("/", Host=host), 200)
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "localhost", f"127.0.0.1:{port + 1}", f"127.0.0.1:0{port}",
                     f"127.0.0.2:{port}", f"0.0.0.0:{port}", f"[::1]:{port}", f"127.1:{port}", f"127.0.0.1.evil.example:{port}",
                     f"evil.example@127.0.0.1:{port}", f"127.0.0.1:{port}.evil.example", f"localhost.:{port}", ""):
            status, _, body = self.ask("/", Host=host)
            self.assertEqual((status, body), (403, b"403 Forbidden: open the address that picus view printed, as it stands\n"), host)
        good = f"Host: 127.0.0.1:{port}"
        for fields in (["X: y"], [good, "Host: evil.example"], ["Host: evil.example", good], [good, good],
                       [good, "Host : evil.example"], [good, "Origin : http://evil.example"],
                       [f"Host: 127.0.0.1:{port}, evil.example"]):
            self.assertRegex(self.raw(self.head("GET / HTTP/1.1", *fields)), rb"^HTTP/1.1 40[03] ", fields)
        self.assertTrue(self.raw(b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 403 "))
        self.assertTrue(self.raw(self.head("GET / HTTP/1.1", good.upper())).startswith(b"HTTP/1.1 200 "))

    def test_foreign_origins(self):
        self.start("a", "--port", "0")
        for origin in (f"http://127.0.0.1:{self.port}", f"http://localhost:{self.port}"):
            self.assertEqual(self.status("/", Origin=origin), 200)
        for origin in ("http://evil.example", "null", "", f"https://127.0.0.1:{self.port}", "http://127.0.0.1",
                       f"http://127.0.0.1:{self.port + 1}", f"http://127.0.0.1:{self.port}.evil.example"):
            self.assertEqual(self.status("/", Origin=origin), 403, origin)
        for site, status in {"cross-site": 403, "Cross-Site": 403, "none": 200, "same-origin": 200}.items():
            self.assertEqual(self.status("/", Sec_Fetch_Site=site), status, site)

    def test_methods(self):
        self.start("a", "--port", "0")
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get"):
            status, headers, _ = self.ask("/", method)
            self.assertEqual((status, headers["Allow"]), (405, "GET, HEAD"), method)
        # A body is never taken, and the answer arrives all the same.
        status, _, body = self.ask("/", "POST", b"x" * 3_000_000)
        self.assertEqual((status, body), (405, b"405 Method Not Allowed\n"))
        self.assertEqual(self.ask("/", "GET", b"GET /notes.txt HTTP/1.1\r\n\r\n")[2], PAGE)

    def test_what_is_no_request(self):
        self.start("a", "--port", "0")
        host = f"Host: 127.0.0.1:{self.port}\r\n"
        for text in ("hello\r\n\r\n", "GET /\r\n\r\n", f"GET / HTTP/2.0\r\n{host}\r\n", f"GET / HTTP/1.1 \r\n{host}\r\n",
                     f"GET /a b HTTP/1.1\r\n{host}\r\n", f"GET / HTTP/1.1\r\n {host}\r\n", f"GET / HTTP/1.1\r\n{host}X : y\r\n\r\n",
                     f"GET / HTTP/1.1\r\n{host}no colon\r\n\r\n", f"POST / HTTP/1.1\r\n{host}Content-Length: -5\r\n\r\n",
                     "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n"):
            self.assertRegex(self.raw(text.encode("latin-1")), rb"^(HTTP/1.1 (400|403|505) |$)", text)  # or nothing at all
        for text in ("GET /" + "x" * 80000, f"GET / HTTP/1.1\r\n{host}X: " + "y" * 80000, "z" * 80000):
            self.assertRegex(self.raw(text.encode()), rb"^HTTP/1.1 (414|431) ", text[:20])
        # Cookies of other ports of this machine come along.
        self.assertEqual(self.status("/", Cookie="; ".join(f"name{k}={'v' * 80}" for k in range(180))), 200)
        self.assertEqual(self.status("/"), 200)

    def test_from_this_machine_only(self):
        process = self.start("a", "--port", "0")
        for table in ("tcp", "tcp6"):
            with open(f"/proc/{process.pid}/net/{table}") as file:
                rows = [line.split() for line in file.readlines()[1:]]
            listening = {row[1].split(":")[0] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == self.port}
            self.assertEqual(listening, {"0100007F"} if table == "tcp" else set())


class ViewPatience(ViewTest):
    """Clients that are slow, or many."""

    def test_slow_clients_are_left(self):
        with open(self.path("a", "result.h5"), "wb") as file:
            file.truncate(50_000_000)
        self.start("a", "--port", "0")
        begin = time.monotonic()
        silent, head, body, deaf = self.connect(), self.connect(), self.connect(), self.connect()
        body.sendall(self.head("POST / HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Content-Length: 1000"))
        deaf.sendall(self.head("GET /result.h5 HTTP/1.1"))
        dripping, dripped = [head, body], 0
        while dripping and time.monotonic() - begin < 25:  # a byte now and then does not buy time
            for connection in list(dripping):
                try:
                    connection.sendall(b"G")
                    dripped += 1
                except OSError:
                    dripping.remove(connection)
            time.sleep(0.1)
        self.assertTrue(9 < time.monotonic() - begin < 20, time.monotonic() - begin)
        self.assertGreater(dripped, 100)
        silent.settimeout(5)
        self.assertEqual(silent.recv(1), b"")
        time.sleep(max(0, begin + 16 - time.monotonic()))
        got = 0
        with contextlib.suppress(ConnectionResetError):
            got = len(self.rest(deaf))
        self.assertLess(got, 50_000_000)
        self.assertEqual(self.status("/"), 200)

    def test_a_slow_reader_that_reads_gets_all(self):
        """50 kB/s, for longer than a client that takes nothing is borne."""
        with open(self.path("a", "result.h5"), "wb") as file:
            file.truncate(25_000_000)
        self.start("a", "--port", "0")
        connection = self.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        connection.sendall(self.head("GET /result.h5 HTTP/1.1"))
        begin, got = time.monotonic(), 0
        while part := connection.recv(5000 if got < 700_000 else 100_000):
            got += len(part)
            if got < 700_000:
                time.sleep(max(0, begin + got / 5e4 - time.monotonic()))
        self.assertGreater(got, 25_000_000)
        self.assertGreater(time.monotonic() - begin, 13)

    def test_many_clients_wait_for_their_turn(self):
        process = self.start("a", "--port", "0")
        crowd = [self.connect() for _ in range(60)]
        time.sleep(0.5)
        self.assertLess(len(os.listdir(f"/proc/{process.pid}/fd")), 45)
        self.assertEqual(len(os.listdir(f"/proc/{process.pid}/task")), 1)
        for connection in crowd:
            connection.close()
        self.assertEqual(self.ask("/")[2], PAGE)

    def burnt(self, process):
        """Its processor time, s."""
        with open(f"/proc/{process.pid}/stat") as file:
            ticks = sum(int(n) for n in file.read().rsplit(")", 1)[1].split()[11:13])
        return ticks / os.sysconf("SC_CLK_TCK")

    def test_few_descriptors(self):
        """Out of descriptors nobody is served, but the server goes on, and without burning time."""
        process = self.start("a", "--port", "0", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12)))
        begin = self.burnt(process)
        crowd = [self.connect() for _ in range(20)]
        time.sleep(1)
        self.assertLess(self.burnt(process) - begin, 0.3)
        # Who gets in while the others leave may find no descriptor left for the file, and is told to come again.
        for connection in crowd:
            connection.close()
        while (status := self.status("/")) != 200:
            self.assertEqual(status, 503)

    def test_a_client_that_hangs_up(self):
        with open(self.path("a", "result.h5"), "wb") as file:
            file.truncate(50_000_000)
        self.start("a", "--port", "0")
        for half_closed in (False, True):
            with contextlib.closing(self.connect()) as connection:
                connection.sendall(self.head("GET /result.h5 HTTP/1.1"))
                if half_closed:
                    connection.shutdown(socket.SHUT_WR)
                connection.recv(10)
                time.sleep(0.3)
        self.assertEqual(self.status("/"), 200)

    def test_signals_end_it_well(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start("a", "--port", "0")
            self.assertEqual(self.status("/"), 200)
            waiting = self.connect()
            waiting.sendall(b"GET")
            process.send_signal(number)
            output, errors = process.communicate(timeout=10)
            self.assertEqual((process.returncode, output), (0, ""))
            self.assertRegex(errors, rf"^serving a at http://127\.0\.0\.1:{self.port}/; Ctrl-C ends it\n$")
        # The port is free again at once.
        port = self.port
        self.start("a", "--port", str(port))
        self.assertEqual((self.port, self.status("/")), (port, 200))


class ViewMistakes(ViewTest):
    def test_ports(self):
        for port in ("abc", "70000", "65536", "-1", "1.5", "80x", " 80", "", "99999999999999999999"):
            self.refused("view", "a", "--port", port, says=["--port", f"'{port}'", "1 to 65535", "0"])
        self.refused("view", "a", "--port", says=["--port", "one value"])

    def test_a_port_in_use(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = str(other.getsockname()[1])
            self.refused("view", "a", "--port", port, code=3, says=[port, "in use", "--port 0"])
        self.start("a", "--port", "0")
        self.refused("view", "a", "--port", str(self.port), code=3, says=[str(self.port), "in use"])

    def test_a_port_not_allowed(self):
        with open("/proc/sys/net/ipv4/ip_unprivileged_port_start") as file:
            if int(file.read()) <= 1:
                self.skipTest("on this machine everybody may listen at any port")
        without = ["setpriv", "--bounding-set", "-net_bind_service"] if os.geteuid() == 0 else []
        result = subprocess.run([*without, PICUS, "view", "a", "--port", "1"], cwd=self.folder, capture_output=True, text=True,
                                timeout=20)
        if result.stderr.startswith("setpriv"):
            self.skipTest(result.stderr)
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        for text in ("port 1 ", "denied", "--port 0"):
            self.assertIn(text, result.stderr)

    def test_folders(self):
        self.refused("view", says=["DIR"])
        self.refused("view", "nowhere", says=["'nowhere'", "does not exist", "picus run"])
        self.refused("view", "", says=["''", "picus run"])
        self.refused("view", "secret.csv", says=["'secret.csv'", "not a folder", "picus run"])
        os.mkdir(self.path("empty"))
        self.refused("view", "empty", says=["'empty'", "report.html", "picus run", "picus report empty"])
        self.refused("view", "empty", "--port", "0", says=["'empty'", "report.html"])
        os.symlink(self.path("a", "report.html"), self.path("empty", "report.html"))
        self.refused("view", "empty", says=["'empty'", "report.html"])
        self.refused("view", "a", "b", says=["'b'"])
        self.refused("view", "a", "--prot", "1", says=["'--prot'", "did you mean '--port'"])

    def test_an_address_that_does_not_arrive(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([PICUS, "view", "a", "--port", "0"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                    text=True, timeout=20)
        self.assertEqual(result.returncode, 3)
        self.assertIn("standard output", result.stderr)

    def test_help(self):
        result = self.picus("view", "--help")
        self.assertEqual(result.returncode, 0)
        for text in ("Usage:", "DIR", "--port", "--no-browser", "127.0.0.1", "Ctrl-C", "BROWSER", "ssh "):
            self.assertIn(text, result.stdout)
        self.assertIn("view", self.picus("--help").stdout)


class ViewOpens(ViewTest):
    """The page in a browser, for which a script stands."""

    def opener(self, text="", name="opener"):
        os.makedirs(self.path("bin"), exist_ok=True)
        self.write(f"bin/{name}", f'#!/bin/sh\nfor word; do printf "%s\\n" "$word"; done > "{self.folder}/{name}.got"\n{text}\n'.encode())
        os.chmod(self.path("bin", name), stat.S_IRWXU)
        return self.path("bin", name)

    def got(self, name="opener"):
        with open(self.path(name + ".got")) as file:
            return file.read().splitlines()

    def view(self, folder="a", **variables):
        """With no other program in reach than the scripts (which need none)."""
        return self.picus("view", folder, env=self.environment(PATH=self.path("bin"), **variables))

    def test_the_browser_of_the_user(self):
        for display in ("DISPLAY", "WAYLAND_DISPLAY"):
            result = self.view(BROWSER=self.opener(), **{display: "x"})
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(self.got(), [f"file://{self.folder}/a/report.html"])
            self.assertIn(self.got()[0], result.stdout)

    def test_xdg_open(self):
        self.opener(name="xdg-open")
        self.assertEqual(self.view(DISPLAY="x").returncode, 0)
        self.assertEqual(self.got("xdg-open"), [f"file://{self.folder}/a/report.html"])

    def test_words_of_browser(self):
        opener = self.opener()
        self.view(DISPLAY="x", BROWSER=f"missing %s:{opener} --new  --page=%s;:never")
        self.assertEqual(self.got(), ["--new", f"--page=file://{self.folder}/a/report.html;"])

    def test_names_of_folders_are_only_names(self):
        """No shell, and the address is one word in ASCII."""
        name = "-r; touch x $(touch y) `z`&|é?#%41 \"'"
        os.rename(self.path("a"), self.path(name))
        result = self.view("./" + name, DISPLAY="x", BROWSER=self.opener())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.got(), [f"file://{self.folder}/-r%3B%20touch%20x%20%24%28touch%20y%29%20%60z%60%26%7C%C3%A9%3F%23%2541"
                                      "%20%22%27/report.html"])
        self.assertEqual(sorted(os.listdir(self.folder)), sorted([name, "bin", "opener.got", "secret.csv"]))

    def test_a_browser_that_stays_is_not_waited_for(self):
        """Nor does it hear of Ctrl-C, nor keep our output open."""
        opener = self.opener(f"read pid name state parent group session rest < /proc/$$/stat\n"
                             f"echo $$ $session > '{self.folder}/session'\nexec /bin/sleep 20")
        begin = time.monotonic()
        result = self.view(DISPLAY="x", BROWSER=opener)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLess(time.monotonic() - begin, 10)
        with open(self.path("session")) as file:
            process, session = file.read().split()
        self.assertEqual(process, session)
        os.kill(int(process), signal.SIGKILL)

    def test_without_a_display_it_is_served(self):
        for variables in ({}, {"DISPLAY": ""}):
            process = self.start("a", environment=self.environment(BROWSER=self.opener(), **variables))
            self.assertEqual(self.ask("/")[2], PAGE)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=10)
            self.assertEqual(process.returncode, 0)
            self.assertIn("no display", errors.splitlines()[0])
            self.assertIn("serving a at http", errors.splitlines()[1])
        self.assertFalse(os.path.exists(self.path("opener.got")))

    def test_without_a_browser_it_is_served(self):
        failing = self.opener("exit 4")
        self.opener("kill -9 $$", name="xdg-open")
        process = self.start("a", environment=self.environment(DISPLAY="x", PATH=self.path("bin"), BROWSER=f"{failing}:/missing"))
        self.assertEqual(self.ask("/")[2], PAGE)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=10)
        self.assertEqual(process.returncode, 0)
        self.assertIn(f"no browser could be opened (tried: {failing}, /missing, xdg-open)", errors.splitlines()[0])

    def test_no_browser_where_none_is_wanted(self):
        environment = self.environment(DISPLAY="x", BROWSER=self.opener())
        for arguments in (["--no-browser"], ["--port", "0"], ["--no-browser", "--port", "0"]):
            self.start("a", *arguments, environment=environment)
            self.assertEqual(self.ask("/")[2], PAGE)
        self.assertFalse(os.path.exists(self.path("opener.got")))


if __name__ == "__main__":
    unittest.main(verbosity=2)
