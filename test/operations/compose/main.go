// Loads a compose file as `docker compose` does, in full: schema, variables and references. Prints its services.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	options, err := cli.NewProjectOptions(os.Args[1:], cli.WithOsEnv)
	if err == nil {
		project, failure := options.LoadProject(context.Background())
		if err = failure; err == nil {
			fmt.Println(project.ServiceNames())
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
