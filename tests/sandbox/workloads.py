"""Ordinary programs, each a function: `python workloads.py NAME...` runs those of these names and prints them."""

import asyncio
import concurrent.futures
import ctypes
import mmap
import multiprocessing
import multiprocessing.shared_memory
import os
import pickle
import resource
import select
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

WITHOUT_PACKAGES = (  # what the standard library and the system alone can do
    *("run_threads", "run_timers", "run_interval_timers", "run_fork_pool", "run_spawn_pool", "run_executors"),
    *("run_python", "run_shell", "use_sqlite", "use_pickle", "use_files", "use_event_loop", "use_sockets"),
    *("use_pipes", "ask_about_itself", "use_shared_memory", "call_back_from_c", "use_signals", "start_daemon"),
)
WITH_PACKAGES = ("run_numpy", "run_numba", "run_scipy", "draw_with_matplotlib")


def square(number):
    return number * number


def run_threads():
    local, lock, barrier, found = threading.local(), threading.Lock(), threading.Barrier(8), []

    def work(number):
        local.value = number
        barrier.wait()
        with lock:
            found.append(local.value)

    threads = [threading.Thread(target=work, args=(number,), name=f"worker {number}") for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == list(range(8))


def run_timers():
    done = threading.Event()
    threading.Timer(0.01, done.set).start()
    assert done.wait(60)
    begin = time.monotonic(), time.perf_counter(), time.process_time(), time.thread_time(), time.time()
    time.sleep(0.001)
    assert time.monotonic() > begin[0]
    assert threading.Condition().acquire(timeout=1)
    assert time.get_clock_info("monotonic").resolution < 1


def run_interval_timers():
    heard = []
    for number in (signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF):
        signal.signal(number, lambda number, frame: heard.append(number))
    signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
    while heard.count(signal.SIGALRM) < 3:
        signal.pause()
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.005)
    signal.setitimer(signal.ITIMER_PROF, 0.005)
    while not {signal.SIGVTALRM, signal.SIGPROF} <= set(heard):
        sum(range(1000))
    signal.alarm(100)
    assert signal.alarm(0) > 0


def run_fork_pool():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(square, range(10)) == [number * number for number in range(10)]


def run_spawn_pool():
    context = multiprocessing.get_context("spawn")
    queue, value, lock = context.Queue(), context.Value("i", 1), context.Lock()
    with lock:
        value.value += 1
    queue.put("x")
    assert queue.get() == "x"
    with context.Pool(1) as pool:
        assert pool.map(square, [3]) == [9]


def run_executors():
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        assert list(threads.map(square, range(4))) == [0, 1, 4, 9]
    with concurrent.futures.ProcessPoolExecutor(2) as processes:
        assert list(processes.map(square, range(4))) == [0, 1, 4, 9]


def run_python():
    words = [sys.executable, "-c", "print(input())"]
    done = subprocess.run(words, input="x\n", capture_output=True, text=True, check=True, timeout=60)
    assert (done.stdout, done.stderr) == ("x\n", "")
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True) as child:
        child.terminate()
        assert child.wait(60) == -signal.SIGTERM
    assert os.spawnl(os.P_WAIT, sys.executable, sys.executable, "-c", "") == 0


def run_shell():
    script = "set -e; d=$(mktemp -d); echo 1 | tee $d/a | cat > $d/b; cp -p $d/a $d/c; mv $d/c $d/e; ls -l $d | wc -l"
    done = subprocess.run(["/bin/sh", "-c", script + "; sleep 0.01; rm -r $d"], capture_output=True, check=True)
    assert (done.stdout.split(), done.stderr) == ([b"4"], b"")


def use_sqlite():
    with tempfile.TemporaryDirectory() as folder:
        for mode in ("delete", "wal"):
            with sqlite3.connect(f"{folder}/{mode}") as base:
                base.execute(f"pragma journal_mode={mode}")
                base.execute("create table x(a)")
                base.executemany("insert into x values (?)", [(number,) for number in range(100)])
                base.commit()
            other = sqlite3.connect(f"{folder}/{mode}")
            assert other.execute("select sum(a) from x").fetchone() == (4950,)
            other.close()
            base.close()


def use_pickle():
    with tempfile.TemporaryFile() as file:
        pickle.dump({"a": [1, 2, Path("/x")]}, file)
        file.seek(0)
        assert pickle.load(file)["a"][2] == Path("/x")


def use_files():
    with tempfile.TemporaryDirectory() as folder:
        one, two = Path(folder, "one"), Path(folder, "two")
        (one / "deep").mkdir(parents=True)
        (one / "deep" / "file").write_bytes(bytes(100_000))
        (one / "link").symlink_to("deep/file")
        os.link(one / "deep" / "file", one / "hard")
        os.mkfifo(Path(folder, "fifo"))
        shutil.copytree(one, two, symlinks=True)
        assert sorted(path.name for path in two.rglob("*")) == ["deep", "file", "hard", "link"]
        with open(two / "hard", "r+b") as source, open(two / "copy", "w+b") as target:
            assert os.sendfile(target.fileno(), source.fileno(), 0, 1000) == 1000
            os.copy_file_range(source.fileno(), target.fileno(), 1000)
            os.posix_fallocate(target.fileno(), 0, 10_000)
            os.posix_fadvise(target.fileno(), 0, 0, os.POSIX_FADV_SEQUENTIAL)
            os.fsync(target.fileno())
            os.pwritev(target.fileno(), [b"a", b"b"], 0)
            assert os.pread(target.fileno(), 2, 0) == b"ab"
            os.truncate(target.fileno(), 1)
            with mmap.mmap(source.fileno(), 0) as mapped:
                mapped[0] = 1
                mapped.flush()
        os.utime(two / "copy", (1e9, 1e9))
        os.chmod(two / "copy", 0o600)
        os.rename(two / "copy", two / "moved")
        os.listxattr(two)
        os.statvfs(folder)
        assert shutil.disk_usage(folder).total > 0
        assert [entry.stat().st_size for entry in os.scandir(two) if entry.name == "moved"] == [1]
        shutil.make_archive(f"{folder}/three", "zip", two)
        assert os.access(two, os.R_OK)


def use_event_loop():
    async def work():
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(b"x\n")
        answer = await reader.readline()
        writer.close()
        child = await asyncio.create_subprocess_exec(sys.executable, "-c", "print(1)", stdout=subprocess.PIPE)
        said, _ = await child.communicate()
        await asyncio.sleep(0.001)
        return answer + said + await asyncio.to_thread(bytes, 1)

    async def serve():
        async def echo(reader, writer):
            writer.write(await reader.readline())
            writer.close()

        async with await asyncio.start_unix_server(echo, path):
            return await work()

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/socket"
        assert asyncio.run(serve()) == b"x\n1\n\0"


def use_sockets():
    one, two = socket.socketpair()
    one.settimeout(60)
    socket.send_fds(one, [b"x"], [0])
    message, descriptors, _, _ = socket.recv_fds(two, 1, 1)
    os.close(descriptors[0])
    one.setblocking(False)
    assert message == b"x"
    one.close()
    two.close()


def use_pipes():
    read, write = os.pipe()
    poll = select.epoll()
    poll.register(read, select.EPOLLIN)
    os.set_blocking(read, False)
    os.write(write, b"x")
    assert poll.poll(60)
    assert select.select([read], [], [], 60)[0] == [read]
    assert not os.isatty(read)
    os.dup2(read, write)
    poll.close()
    if hasattr(os, "eventfd"):
        event = os.eventfd(1)
        assert os.eventfd_read(event) == 1


def ask_about_itself():
    assert os.sched_getaffinity(0)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 0
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >= 0
    resource.setrlimit(resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE))
    resource.prlimit(os.getpid(), resource.RLIMIT_NOFILE)
    assert os.cpu_count() and os.getloadavg() and os.times() and os.uname() and len(os.urandom(8)) == 8
    assert os.nice(1) >= 0  # does nothing behind walls, and says that all went well
    assert os.sched_getscheduler(0) == os.SCHED_OTHER
    assert os.getpriority(os.PRIO_PROCESS, 0) >= 0
    os.getgroups(), os.getresuid(), os.getpgid(0), os.getsid(0), os.umask(0o22)
    ctypes.CDLL(None).prctl(15, b"agent", 0, 0, 0)


def use_shared_memory():
    if not os.path.exists("/dev/shm"):
        return
    memory = multiprocessing.shared_memory.SharedMemory(create=True, size=100)
    memory.buf[0] = 7
    again = multiprocessing.shared_memory.SharedMemory(memory.name)
    assert again.buf[0] == 7
    again.close()
    memory.close()
    memory.unlink()


def call_back_from_c():
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
    numbers = (ctypes.c_int * 3)(3, 1, 2)
    ctypes.CDLL(None).qsort(numbers, 3, ctypes.sizeof(ctypes.c_int), kind(lambda a, b: a[0] - b[0]))
    assert list(numbers) == [1, 2, 3]


def use_signals():
    heard = []
    signal.signal(signal.SIGUSR1, lambda number, frame: heard.append(number))
    signal.raise_signal(signal.SIGUSR1)
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
    assert heard == [signal.SIGUSR1] * 3
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    os.kill(os.getpid(), signal.SIGUSR1)
    assert signal.sigwait([signal.SIGUSR1]) == signal.SIGUSR1
    if hasattr(os, "pidfd_open"):
        os.close(os.pidfd_open(os.getpid()))
    child = os.fork()
    if child == 0:
        signal.pause()
    os.kill(child, signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def start_daemon():
    child = os.fork()
    if child == 0:
        os.setsid()
        os._exit(3)
    assert os.waitstatus_to_exitcode(os.wait()[1]) == 3


def run_numpy():
    os.environ["OPENBLAS_NUM_THREADS"] = "4"
    import numpy

    matrix = numpy.random.default_rng(1).random((300, 300))
    assert numpy.allclose(matrix @ numpy.linalg.inv(matrix), numpy.eye(300), atol=1e-6)
    assert len(os.listdir("/proc/self/task")) >= 2
    with tempfile.TemporaryDirectory() as folder:
        numpy.save(f"{folder}/a.npy", matrix)
        assert numpy.load(f"{folder}/a.npy", mmap_mode="r")[0, 0] == matrix[0, 0]


def run_numba():
    os.environ["NUMBA_NUM_THREADS"] = "4"
    import numba
    import numpy

    @numba.njit(parallel=True)
    def total(values):
        found = 0
        for place in numba.prange(len(values)):
            found += values[place]
        return found

    assert total(numpy.arange(1000)) == 499_500
    assert numba.threading_layer() in ("omp", "workqueue", "tbb")


def run_scipy():
    import numpy
    import scipy.fft
    import scipy.optimize
    import scipy.sparse.linalg

    assert abs(scipy.optimize.minimize(lambda x: (x[0] - 2) ** 2, [0.0]).x[0] - 2) < 1e-3
    assert scipy.fft.fft(numpy.ones(8), workers=2)[0] == 8
    assert scipy.sparse.linalg.spsolve(scipy.sparse.eye(3, format="csc"), numpy.ones(3))[0] == 1


def draw_with_matplotlib():
    import matplotlib.pyplot as plt

    with tempfile.TemporaryDirectory() as folder:
        plt.plot([1, 2, 3])
        plt.savefig(f"{folder}/a.png")
        assert os.path.getsize(f"{folder}/a.png") > 1000


if __name__ == "__main__":
    for name in sys.argv[1:]:
        globals()[name]()
        print(name, flush=True)
