//! `suppose serve`: the workbench.

use std::io::{Read, Write};
use std::net::SocketAddr;
use std::path::Path;

use suppose::{Failure, Limits};
use suppose_serve::{ServeOptions, Workbench};

use crate::args::{OutputOptions, ServeArgs};
use crate::output::Output;
use crate::progress::listen;

/// More is not read of a token.
const LONGEST_TOKEN: u64 = 4096;

/// Serves until Ctrl-C.
pub fn serve(args: ServeArgs, look: OutputOptions) -> Result<Output, Failure> {
    suppose::silence_panics();
    let usual = ServeOptions::default();
    let options = ServeOptions {
        path: args.path,
        listen: SocketAddr::new(args.listen, args.port),
        token: args.token_file.as_deref().map(token).transpose()?,
        hosts: args.hosts,
        limits: Limits {
            timeout: args.timeout.or(usual.limits.timeout),
            memory: args.memory.or(usual.limits.memory),
            ..usual.limits
        },
        jobs: args.jobs.max(1),
        ..usual
    };
    let is_open = !args.listen.is_loopback();
    let bench = Workbench::open(&options)?;
    let stop = listen();
    // The address is wanted now, not when it is over.
    let mut out = std::io::stdout();
    let mut words = match is_open {
        // The token is in the user's own file, and need not be on the screen.
        true => format!("http://{}/#TOKEN\n", bench.address()),
        false => format!("{}\n", bench.url()),
    };
    if !look.quiet {
        words.push_str(match bench.folder() {
            Some(_) => "open this address in a browser; Ctrl-C ends it\n",
            None => "open this address in a browser; Ctrl-C ends it (no folder was given, so files cannot be opened)\n",
        });
        if is_open {
            words.push_str("warning: whoever knows the token can read and change these models; the connection is not encrypted\n");
        }
    }
    let _ = out.write_all(words.as_bytes()).and_then(|()| out.flush());
    bench.run(stop)?;
    Ok(Output::ok(""))
}

/// The first line of a file that nobody else can read.
fn token(path: &Path) -> Result<String, Failure> {
    use std::os::unix::fs::PermissionsExt;
    let name = path.display();
    let fail = |e: std::io::Error| Failure::file(format!("cannot read `{name}`: {e}"));
    let file = std::fs::File::open(path).map_err(fail)?;
    let mode = file.metadata().map_err(fail)?.permissions().mode();
    if mode & 0o077 != 0 {
        let failure = Failure::file(format!("others can read `{name}`"));
        return Err(failure.help(format!("chmod 600 {name}")));
    }
    let mut text = String::new();
    file.take(LONGEST_TOKEN)
        .read_to_string(&mut text)
        .map_err(fail)?;
    Ok(text.lines().next().unwrap_or("").trim().to_owned())
}
